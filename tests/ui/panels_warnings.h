// SPDX-License-Identifier: GPL-3.0-or-later
// QUIET_CASE is a TEST_CASE that fails if Qt warns about anything until its end.
#pragma once
#include <QStringList>

#include "tests/support/catch.h"

inline QStringList g_qt_warnings;

// The message handler of the tests.
inline void note_qt_warning(QtMsgType type, const QMessageLogContext&, const QString& text) {
    // Said by the offscreen platform on every show(); no fault of the window.
    if (type == QtDebugMsg || type == QtInfoMsg || text.contains(QLatin1String("propagateSizeHints"))) return;
    g_qt_warnings << text;
}

struct NoQtWarnings {
    NoQtWarnings() { g_qt_warnings.clear(); }
    ~NoQtWarnings() {
        INFO(g_qt_warnings.join(QLatin1Char('\n')).toStdString());
        CHECK(g_qt_warnings.isEmpty());
    }
};

#define QUIET_CASE(...) TEST_CASE_METHOD(NoQtWarnings, __VA_ARGS__)
