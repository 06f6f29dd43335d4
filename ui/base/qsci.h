// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to include QScintilla. The project is built with QT_NO_KEYWORDS, because `slots` and `signals`
// are words of core (HazardChecker::slots); QScintilla's headers are written with those keywords.
#pragma once
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
