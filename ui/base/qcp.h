// SPDX-License-Identifier: GPL-3.0-or-later
// Include QCustomPlot through this header only, because of QT_NO_KEYWORDS; see ui/base/qsci.h.
#pragma once
#include <QtCore>
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#define emit
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
#undef emit
