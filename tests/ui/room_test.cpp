// SPDX-License-Identifier: GPL-3.0-or-later
// Room: every view, dock and dialog at the sizes of people's screens, light and dark. No text is cut, no control lies over
// another one. At 2x the size is that of a 3840 x 2160 screen.
#include <QDialog>
#include <QInputDialog>
#include <QMenu>
#include <QScreen>
#include <QTabBar>

#include "tests/ui/full_window.h"
#include "tests/ui/room_audit.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_info.h"
#include "ui/hand/control_editor.h"
#include "ui/hand/hand_tools.h"
#include "ui/replay/edits_page.h"
#include "ui/replay/replay_panel.h"
#include "ui/sessions/campaign_window.h"
#include "ui/sessions/session_browser.h"
#include "ui/settings/settings_dialog.h"
#include "ui/shell/capture_dialog.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/help_window.h"
#include "ui/shell/kernel_chooser.h"
#include "ui/shell/profile_dialog.h"
#include "ui/shell/start_page.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

std::vector<QSize> sizes_of(const MainWindow& window) {
    if (window.devicePixelRatioF() > 1.5) return {{1920, 1080}};
    return {{1920, 1080}, {1440, 900}, {1024, 700}, {800, 600}};
}

void check_room(const QString& what, const QWidget& view) {
    settle();
    INFO(what.toStdString() << " in " << view.window()->width() << "x" << view.window()->height()
                            << (Theme::instance().dark() ? ", dark" : ", light"));
    CHECK(without_room(view).join(QLatin1Char('\n')).toStdString() == "");
}

// Calls it in both themes, the present one first.
void in_both_themes(const std::function<void()>& walk) {
    for (const bool dark : {Theme::instance().dark(), !Theme::instance().dark()}) {
        Theme::instance().set_mode(dark ? ThemeMode::Dark : ThemeMode::Light);
        settle();
        walk();
    }
    Theme::instance().set_mode(ThemeMode::Light);
}

void walk_docks(MainWindow& window) {
    for (const QSize size : sizes_of(window)) {
        window.resize(size);
        settle();
        CHECK(window.size() == size);
        for (QDockWidget* dock : window.docks()) {
            MainWindow::bring_forward(dock);
            settle();
            check_room(dock->objectName(), window);
            CHECK(window.size() == size);
        }
    }
}

// At the size it opens with, and on the smallest screen, with a frame around it.
void check_dialog(const QString& what, QWidget& dialog) {
    settle();
    check_room(what, dialog);
    CHECK(dialog.width() <= 800);
    const QSize smallest(780, 560);
    dialog.resize(smallest);
    check_room(what + QStringLiteral(", smallest"), dialog);
    CHECK(dialog.size() == smallest);
}

// It needs no more than the window's size, so it does not scroll, and each text is whole next to its key.
void check_menu(QMenu& menu, QSize size) {
    QMetaObject::invokeMethod(&menu, "aboutToShow");
    if (menu.isEmpty()) return;
    menu.ensurePolished();
    const QSize needs = menu.sizeHint();
    INFO(menu.title().toStdString() << " in " << size.width() << "x" << size.height());
    CHECK(needs.height() <= size.height());
    CHECK(needs.width() <= size.width());
    for (QAction* action : menu.actions()) {
        if (!action->isVisible() || action->isSeparator()) continue;
        INFO(action->text().toStdString());
        const QString name = action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        const int text =
            menu.fontMetrics().horizontalAdvance(name) + menu.fontMetrics().horizontalAdvance(key);
        CHECK(text < menu.actionGeometry(action).width());
    }
}

template <class Window>
Window& shown_of(MainWindow& window, const char* command) {
    window.commands()[QString::fromLatin1(command)]->trigger();
    settle();
    auto* dialog = required(window.findChild<Window*>());
    REQUIRE(wait_for([&] { return dialog->isVisible(); }));
    return *dialog;
}

}  // namespace

QUIET_CASE("accessible: room for every dock of a kernel with a run, at every size") {
    FullWindow open;
    open.window.controller().view_step(100);
    auto* panel = required(open.window.findChild<KernelInfoPanel*>());
    open.dock("dock_kernel");
    REQUIRE(wait_for([&] { return panel->limits() != nullptr; }));
    in_both_themes([&] { walk_docks(open.window); });
}

QUIET_CASE("accessible: room for every dock before a run, and for the start page, at every size") {
    OpenWindow open;
    in_both_themes([&] { walk_docks(open.window); });
    open.window.opener().close();
    settle();
    for (const QSize size : sizes_of(open.window)) {
        open.window.resize(size);
        check_room(QStringLiteral("start page"), open.window);
    }
}

QUIET_CASE("accessible: room for the pages of Replay, messages and the control code editor, at every size") {
    FullWindow open;
    MainWindow& window = open.window;
    auto* replay = required(window.findChild<ReplayPanel*>());
    open.dock("dock_replay");
    window.commands()[QStringLiteral("replay.minimise")]->trigger();
    REQUIRE(wait_for([&] { return replay->minimised().has_value(); }));
    auto* tabs = required(replay->findChild<QTabBar*>());
    for (const QSize size : sizes_of(window)) {
        window.resize(size);
        settle();
        for (int page = 0; page < tabs->count(); ++page) {
            open.dock("dock_replay");
            tabs->setCurrentIndex(page);
            check_room(QStringLiteral("Replay, ") + tabs->tabText(page), window);
        }
        window.messages().post(
            {MessageKind::Warning,
             QStringLiteral("A title of some words"),
             QStringLiteral("A sentence that says what happened, and why. ").repeated(3),
             {{QStringLiteral("Show problems"), [] {}}, {QStringLiteral("Reload file"), [] {}}},
             0});
        window.messages().post(MessageKind::Refused, QStringLiteral("Rejected: a move"),
                               QStringLiteral("WAR on R28."));
        check_room(QStringLiteral("messages"), window);
        window.messages().clear_all();
        window.selection().select(0x127);
        open.listing()->setFocus();
        open.key(Qt::Key_Return);
        ControlEditor* editor = window.hand_tools().control_editor();
        REQUIRE(wait_for([&] { return editor->isVisible() && editor->judged(); }));
        check_room(QStringLiteral("control code editor"), window);
        QTest::keyClick(editor, Qt::Key_Escape);
    }
}

QUIET_CASE("accessible: room for every menu and the palette, at every size") {
    FullWindow open;
    MainWindow& window = open.window;
    for (const QSize size : sizes_of(window)) {
        window.resize(size);
        settle();
        if (window.screen()->size().height() >= 800)  // the test's screen at 2x is smaller than the window
            for (QMenu* menu : window.findChildren<QMenu*>())
                check_menu(*menu, size);
        for (const char* typed : {"", "move", "no command has this"}) {
            window.command_palette().open(QString::fromLatin1(typed));
            check_room(QStringLiteral("Palette, ") + QString::fromLatin1(typed), window.command_palette());
            CHECK(window.rect().contains(window.command_palette().rect().translated(
                window.command_palette().mapTo(&window, QPoint(0, 0)))));
            window.command_palette().close();
        }
    }
}

QUIET_CASE("accessible: room in every dialog") {
    FullWindow open;
    MainWindow& window = open.window;
    Settings().set_sessions_folder(open.folder.path());
    window.resize(800, 600);
    settle();
    in_both_themes([&] {
        SettingsDialog* settings = window.show_settings({});
        for (const char* page : {"look", "tools", "gpu", "agent", "files", "keys"}) {
            settings->show_page(QString::fromLatin1(page));
            check_dialog(QStringLiteral("Settings, ") + QString::fromLatin1(page), *settings);
        }
        settings->close();
        SessionBrowser* sessions = window.show_sessions();
        REQUIRE(wait_for([&] { return sessions->model().rowCount() > 0; }));
        check_dialog(QStringLiteral("Sessions"), *sessions);
        sessions->close();
        auto& help = shown_of<HelpWindow>(window, "help.docs");
        check_dialog(QStringLiteral("Help"), help);
        help.close();
        auto& capture = shown_of<CaptureDialog>(window, "file.capture");
        check_dialog(QStringLiteral("Capture"), capture);
        capture.close();
        CampaignWindow* campaign = window.show_campaign();
        check_dialog(QStringLiteral("Campaign"), *campaign);
        campaign->close();
        ProfileDialog* profile = window.show_profile();
        check_dialog(QStringLiteral("Profile"), *profile);
        profile->close();
        for (const char* asks : {"go.offset", "layout.save"}) {
            auto& dialog = shown_of<QInputDialog>(window, asks);
            check_room(QString::fromLatin1(asks), dialog);
            dialog.close();
        }
    });
    window.open_path(QStringLiteral(CUBINLAB_TEST_DATA "/containers/exec_size_stripped"));
    KernelChooser* chooser = nullptr;
    REQUIRE(wait_for([&] {
        chooser = window.findChild<KernelChooser*>();
        return chooser != nullptr && chooser->isVisible();
    }));
    check_dialog(QStringLiteral("Kernel chooser"), *chooser);
}
