// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the whole window: the offscreen platform, one QApplication, settings and sessions in a folder that
// is thrown away, and any warning of Qt's fails the case in which it appeared.
#include <QApplication>
#include <QTemporaryDir>

#include "tests/support/run_catch.h"
#include "tests/ui/panels_warnings.h"
#include "ui/base/english_plurals.h"
#include "ui/base/theme.h"

static void init_resources() {
    Q_INIT_RESOURCE(icons);
}

int main(int argc, char** argv) {
    const QTemporaryDir home;
    const QByteArray folder = home.path().toLocal8Bit();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("XDG_RUNTIME_DIR", folder);
    qputenv("XDG_DATA_HOME", folder + "/data");
    qputenv("XDG_CONFIG_HOME", folder + "/config");
    qputenv("XDG_CACHE_HOME", folder + "/cache");
    QApplication app(argc, argv);
    init_resources();
    cubinlab::ui::EnglishPlurals plurals;
    QCoreApplication::installTranslator(&plurals);
    qInstallMessageHandler(note_qt_warning);
    cubinlab::ui::Theme::instance().apply_to(app, cubinlab::ui::ThemeMode::Light);
    g_qt_warnings.clear();
    return cubinlab::test::run_catch(argc, argv);
}
