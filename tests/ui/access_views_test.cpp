// SPDX-License-Identifier: GPL-3.0-or-later
// The accessibility pass: every view, in both themes, at the scale of the process (tests/ui/CMakeLists.txt runs this
// program at 1x and at 2x). Names for all that takes part, Tab in the order of reading, text of 4.5:1 in the pixels.
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPainter>
#include <QStatusBar>
#include <QTableView>
#include <QToolBar>

#include "tests/ui/full_window.h"
#include "tests/ui/text_contrast.h"
#include "tests/ui/view_audit.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_info.h"
#include "ui/hand/control_editor.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/listing_overlay.h"
#include "ui/replay/patterns_page.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/mutation_log.h"
#include "ui/sessions/campaign_window.h"
#include "ui/sessions/session_browser.h"
#include "ui/settings/settings_dialog.h"
#include "ui/shell/capture_dialog.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/help_window.h"
#include "ui/shell/kernel_chooser.h"
#include "ui/shell/profile_dialog.h"
#include "ui/shell/start_page.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

struct Full : FullWindow {
    void audit_dock(const char* name) {
        QDockWidget* shown = dock(name);
        audit_view(shown->windowTitle(), *shown->widget());
    }
};

}  // namespace

TEST_CASE("text contrast: black on white is 21, the ratios of WCAG's examples", "[contrast]") {
    CHECK(contrast_of(qRgb(0, 0, 0), qRgb(255, 255, 255)) == Approx(21));
    CHECK(contrast_of(qRgb(0x76, 0x76, 0x76), qRgb(255, 255, 255)) == Approx(4.54).margin(0.01));
    CHECK(contrast_of(qRgb(0x77, 0x77, 0x77), qRgb(255, 255, 255)) == Approx(4.48).margin(0.01));
}

TEST_CASE("text contrast: a faint text is found among strong ones, over its own ground, lines are no text",
          "[contrast]") {
    const TextAudit audit = audit_painting(QSize(300, 90), 1, 96, [](QPaintDevice* device) {
        QPainter painter(device);
        QFont font = Theme::instance().mono_font();
        painter.setFont(font);
        painter.fillRect(QRect(0, 0, 300, 90), Qt::white);
        painter.fillRect(QRect(0, 60, 300, 30), QColor("#303030"));
        painter.setPen(QColor("#dddddd"));
        painter.drawLine(0, 5, 300, 5);
        painter.drawText(10, 40, QStringLiteral("FAINT"));
        painter.setPen(Qt::black);
        painter.drawText(100, 40, QStringLiteral("STRONG"));
        painter.drawText(10, 80, QStringLiteral("BLACK"));
        painter.setPen(Qt::white);
        painter.drawText(100, 80, QStringLiteral("WHITE"));
        painter.drawText(200, 40, QStringLiteral("NOTHING"));
    });
    REQUIRE(audit.runs.size() == 4);
    CHECK(audit.runs[0].contrast == Approx(1.36).margin(0.05));
    CHECK(audit.runs[1].contrast > 19);
    CHECK(audit.runs[2].contrast < 1.7);
    CHECK(audit.runs[3].contrast > 12);
    CHECK(audit.below(4.5).count(QLatin1Char('\n')) == 2);
}

QUIET_CASE("accessible: start page, empty and after an error") {
    OpenWindow open("");
    audit_view(QStringLiteral("Start page"), open.window.start_page());
    open.window.open_path(open.path("nothing.cubin"));
    REQUIRE(wait_for([&] { return open.window.messages().isVisible(); }));
    CHECK(nameless(open.window).join(QLatin1Char('\n')).toStdString() == "");
    audit_contrast(QStringLiteral("Start page with an error"), open.window);
}

QUIET_CASE("accessible: the whole window with a kernel, a hand edit and a run") {
    Full open;
    audit_contrast(QStringLiteral("Window"), open.window);
    for (QToolBar* bar : open.window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        audit_view(bar->windowTitle(), *bar);
    audit_view(QStringLiteral("Status bar"), *open.window.statusBar());
}

QUIET_CASE("accessible: listings, with arrows, hits, legal places, locks and folds") {
    Full open;
    audit_view(QStringLiteral("Listings"), open.window.compare_view());
    open.window.findChild<QLineEdit*>(QStringLiteral("find"))->setText(QStringLiteral("R10"));
    settle();
    audit_view(QStringLiteral("Listings, search"), open.window.compare_view());
    open.window.commands()[QStringLiteral("agent.lock")]->trigger();
    open.key(Qt::Key_L, Qt::AltModifier);
    const Pane* right = open.window.compare_view().pane(Side::Right);
    REQUIRE(wait_for([&] { return !right->overlay()->legal_rows().empty(); }));
    audit_view(QStringLiteral("Listings, legal positions"), open.window.compare_view());
}

QUIET_CASE("accessible: control code editor") {
    Full open;
    open.key(Qt::Key_Return);
    ControlEditor* editor = open.window.hand_tools().control_editor();
    REQUIRE(wait_for([&] { return editor->isVisible() && editor->judged(); }));
    audit_view(QStringLiteral("Control code editor"), *editor);
}

QUIET_CASE("accessible: a refused edit's message") {
    OpenWindow open;
    open.window.selection().select(0);
    for (int i = 0; i < 40 && !open.window.messages().isVisible(); ++i) {
        open.key(Qt::Key_Up, Qt::AltModifier);
        settle();
    }
    REQUIRE(open.window.messages().isVisible());
    audit_view(QStringLiteral("Message bar"), open.window.messages());
}

QUIET_CASE("accessible: each dock of a window with a run") {
    Full open;
    for (const char* dock : {"dock_graph", "dock_flow", "dock_rewards", "dock_mutations", "dock_history",
                             "dock_problems", "dock_source"})
        open.audit_dock(dock);
}

QUIET_CASE("accessible: Kernel") {
    Full open;
    open.dock("dock_kernel");
    auto* panel = open.window.findChild<KernelInfoPanel*>();
    REQUIRE(wait_for([&] { return panel->limits() != nullptr; }));
    open.audit_dock("dock_kernel");
}

QUIET_CASE("accessible: Replay and its patterns") {
    Full open;
    open.window.controller().view_step(100);
    open.audit_dock("dock_replay");
    open.window.commands()[QStringLiteral("replay.patterns")]->trigger();
    const PatternsPage* patterns = open.window.findChild<ReplayPanel*>()->patterns();
    REQUIRE(wait_for([&] { return patterns->model()->rowCount() > 0; }));
    patterns->table()->selectRow(0);  // its steps are links
    open.audit_dock("dock_replay");
}

QUIET_CASE("accessible: Timeline") {
    Full open;
    open.dock("dock_timeline");
    REQUIRE(wait_for([&] { return open.window.findChild<TimelineCanvas*>()->timeline() != nullptr; }));
    open.audit_dock("dock_timeline");
}

QUIET_CASE("accessible: docks before anything was run") {
    OpenWindow open;
    for (QDockWidget* dock : open.window.docks()) {
        dock->show();
        dock->raise();
        settle();
        audit_contrast(dock->windowTitle() + QStringLiteral(", empty"), *dock->widget());
    }
}

QUIET_CASE("accessible: settings, every page") {
    OpenWindow open("");
    SettingsDialog* settings = open.window.show_settings({});
    for (const char* page : {"look", "tools", "gpu", "agent", "files", "keys"}) {
        settings->show_page(QString::fromLatin1(page));
        settle();
        audit_view(QStringLiteral("Settings, %1").arg(QString::fromLatin1(page)), *settings);
    }
}

QUIET_CASE("accessible: session browser") {
    Full open;
    Settings().set_sessions_folder(open.folder.path());
    SessionBrowser* sessions = open.window.show_sessions();
    REQUIRE(wait_for([&] { return sessions->model().rowCount() > 0; }));
    audit_view(QStringLiteral("Sessions"), *sessions);
}

QUIET_CASE("accessible: command palette, full and with nothing found") {
    OpenWindow open;
    CommandPalette& palette = open.window.command_palette();
    palette.open(QStringLiteral("move"));
    audit_view(QStringLiteral("Command palette"), palette);
    palette.open(QStringLiteral("zzqqxx"));
    audit_view(QStringLiteral("Command palette, nothing found"), palette);
}

QUIET_CASE("accessible: help") {
    OpenWindow open;
    open.window.commands()[QStringLiteral("help.docs")]->trigger();
    auto* help = open.window.findChild<HelpWindow*>();
    REQUIRE(wait_for([&] { return help != nullptr && help->isVisible(); }));
    audit_view(QStringLiteral("Help"), *help);
    help->close();
}

QUIET_CASE("accessible: about") {
    OpenWindow open("");
    open.window.commands()[QStringLiteral("help.about")]->trigger();
    auto* box = required(open.window.findChild<QMessageBox*>());
    audit_view(QStringLiteral("About"), *box);
}

QUIET_CASE("accessible: the choice of a kernel") {
    OpenWindow open("");
    open.window.open_path(QStringLiteral(CUBINLAB_TEST_DATA "/containers/exec_size_stripped"));
    REQUIRE(wait_for([&] {
        auto* chooser = open.window.findChild<KernelChooser*>();
        return chooser != nullptr && chooser->isVisible();
    }));
    audit_view(QStringLiteral("Kernel chooser"), *open.window.findChild<KernelChooser*>());
}

QUIET_CASE("accessible: capture from a program") {
    OpenWindow open("");
    open.window.commands()[QStringLiteral("file.capture")]->trigger();
    audit_view(QStringLiteral("Capture"), open.window.capture_dialog());
}

QUIET_CASE("accessible: a campaign over a folder") {
    OpenWindow open("");
    CampaignWindow* campaign = open.window.show_campaign();
    REQUIRE(wait_for([&] { return campaign->isVisible(); }));
    audit_view(QStringLiteral("Campaign"), *campaign);
}

QUIET_CASE("accessible: a profile") {
    OpenWindow open;
    ProfileDialog* profile = open.window.show_profile();
    REQUIRE(wait_for([&] { return profile->isVisible(); }));
    audit_view(QStringLiteral("Profile"), *profile);
}

TEST_CASE("accessible: menus, with commands that are off") {
    // No QUIET_CASE: the offscreen platform says that it cannot grab the keyboard.
    Full open;
    for (const QAction* action : open.window.menuBar()->actions()) {
        QMenu* menu = action->menu();
        menu->popup(QPoint(0, 0));
        REQUIRE(wait_for([&] { return menu->isVisible(); }));
        audit_contrast(QStringLiteral("Menu %1").arg(QString(action->text()).remove(QLatin1Char('&'))),
                       *menu);
        menu->close();
    }
}
