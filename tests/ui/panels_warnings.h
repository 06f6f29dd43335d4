// SPDX-License-Identifier: GPL-3.0-or-later
// `const NoQtWarnings quiet;` first in a test case: what Qt warned about until its end fails the case.
#pragma once
#include <QStringList>

#include "tests/support/catch.h"

extern QStringList g_qt_warnings;

struct NoQtWarnings {
    NoQtWarnings() { g_qt_warnings.clear(); }
    ~NoQtWarnings() {
        INFO(g_qt_warnings.join(QLatin1Char('\n')).toStdString());
        CHECK(g_qt_warnings.isEmpty());
    }
};
