// SPDX-License-Identifier: GPL-3.0-or-later
// Widget tests run on the offscreen platform, with one QApplication, settings in a folder that is thrown away (cases run
// side by side), and any warning of Qt's fails the case in which it appeared.
#include <QApplication>
#include <QTemporaryDir>

#include "tests/support/run_catch.h"
#include "tests/ui/panels_warnings.h"
#include "ui/base/theme.h"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir home;
    const QByteArray folder = home.path().toLocal8Bit();
    qputenv("XDG_RUNTIME_DIR", folder);
    qputenv("XDG_DATA_HOME", folder + "/data");
    qputenv("XDG_CONFIG_HOME", folder + "/config");
    qputenv("XDG_CACHE_HOME", folder + "/cache");
    QApplication app(argc, argv);
    qInstallMessageHandler(note_qt_warning);
    cubinlab::ui::Theme::instance().apply_to(app, cubinlab::ui::ThemeMode::Dark);
    g_qt_warnings.clear();  // what starting up said
    return cubinlab::test::run_catch(argc, argv);
}
