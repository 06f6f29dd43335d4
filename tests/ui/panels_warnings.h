// SPDX-License-Identifier: GPL-3.0-or-later
// QUIET_CASE is a TEST_CASE that fails if Qt warns about anything until its end.
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

#define QUIET_CASE(...) TEST_CASE_METHOD(NoQtWarnings, __VA_ARGS__)
