// SPDX-License-Identifier: GPL-3.0-or-later
// Include QScintilla through this header only. The project uses QT_NO_KEYWORDS because core has members named
// `slots` and `signals` (HazardChecker::slots), but QScintilla's headers use these keywords.
#pragma once
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
