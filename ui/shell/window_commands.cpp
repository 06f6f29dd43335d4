// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: its commands, tool bars and status bar.
#include <QAbstractItemView>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

#include "ui/base/fitting_label.h"
#include "ui/base/message_bar.h"
#include "ui/base/theme.h"
#include "ui/document/command_rules.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/sass_view.h"
#include "ui/run/agent_bar.h"
#include "ui/run/opener.h"
#include "ui/shell/capture_dialog.h"
#include "ui/shell/help_window.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

using Key = QKeySequence;

// The last button of a narrow tool bar opens the actions that do not fit.
void open_rest_of_bar(const QWidget& field) {
    auto* rest = field.parentWidget()->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    if (!field.isVisible() && rest != nullptr && !rest->isChecked()) rest->click();
}

void copy_from(QWidget* view) {
    if (auto* listing = qobject_cast<SassView*>(view); listing != nullptr && !listing->hasSelectedText())
        Q_EMIT listing->copy_asked();
    else if (const auto* table = qobject_cast<const QAbstractItemView*>(view))
        QApplication::clipboard()->setText(table->currentIndex().data().toString());
    else if (view != nullptr && view->metaObject()->indexOfMethod("copy()") >= 0)  // any text view
        QMetaObject::invokeMethod(view, "copy");
}

// All windows of the program, oldest first; a click raises one.
void fill_windows(const MainWindow& shown, QMenu& menu) {
    menu.clear();
    for (MainWindow* window : Windows::instance().all()) {
        QString title = window->windowTitle().remove(QStringLiteral("[*]"));
        QAction* action = menu.addAction(title.replace(QLatin1Char('&'), QStringLiteral("&&")), window,
                                         [window] { Windows::bring_up(window); });
        action->setCheckable(true);
        action->setChecked(window == &shown);
    }
}

}  // namespace

void MainWindow::make_commands() {
    make_file_commands();
    make_agent_commands();
    make_edit_commands();
    make_view_commands();
    hand_->make_commands();
    make_starts_commands();
}

void MainWindow::make_file_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    commands_.add("file.open", tr("&Open..."), "open", Key::Open,
                  tr("Open a cubin, a program or library that contains one, or a session"),
                  {"file/open", "bar/file"}, kAlways, [this] { ask_open(); });
    commands_.add("file.open_folder", tr("Open &folder..."), "", kNoKey,
                  tr("Open a Triton cache, an entry of it, or a folder of cubins"), {"file/open"}, kAlways,
                  [this] { ask_open_folder(); });
    commands_.add("file.capture", tr("Capture kernel from pro&gram..."), "", kNoKey,
                  tr("Capture a kernel of a running program with its arguments and memory"), {"file/open"},
                  kAlways, [this] {
                      capture_dialog().show();
                      capture_dialog().activateWindow();
                  });
    commands_.add("file.close", tr("&Close"), "", Key::Close, tr("Close the kernel, or a window without one"),
                  {"file/end"},
                  enabled_when([this] { return document_.is_open() || Windows::instance().all().size() > 1; },
                               tr("No kernel is open, and this is the only window.")),
                  [this] {
                      if (document_.is_open())
                          close_kernel();
                      else
                          close();
                  });
    commands_.add("file.export_best", tr("Export agent's &best..."), "export", Key("Ctrl+E"),
                  tr("Write the agent's best schedule as a cubin"), {"file/export", "bar/file"},
                  all_of(rules.open, enabled_when([this] { return document_.pair().best_step().step != 0; },
                                                  tr("The agent has found no improvement yet."))),
                  [this] { actions_->ask_and_export(ScheduleSlot::Best); });
    commands_.add("file.export_hand", tr("Export &hand schedule..."), "", Key("Ctrl+Shift+E"),
                  tr("Write the hand schedule as a cubin"), {"file/export"}, rules.editable,
                  [this] { actions_->ask_and_export(ScheduleSlot::Hand); });
    commands_.add(
        "file.export_viewed", tr("Export &selected step..."), "", kNoKey,
        tr("Write the selected step as a cubin"), {"file/export"},
        all_of(rules.open,
               enabled_when([this] { return document_.pair().schedule(ScheduleSlot::Viewed) != nullptr; },
                            tr("No step is selected. Click one in a chart or in the mutation log."))),
        [this] { actions_->ask_and_export(ScheduleSlot::Viewed); });
    commands_.add(
        "file.measure", tr("&Measure candidate vs. original"), "measure", Key("F8"),
        tr("Measure the right schedule against the original on the GPU"), {"file/measure", "bar/run"},
        all_of(
            rules.editable,
            all_of(
                enabled_when([this] { return !controller_->active(); },
                             tr("The agent is using the evaluator. Stop it or wait until it has finished.")),
                enabled_when([this] { return !actions_->measuring(); }, tr("A measurement is running.")))),
        [this] { actions_->measure(document_.pair().right_slot()); });
    commands_.add("file.quit", tr("&Quit"), "", Key::Quit, tr("Close all windows"), {"file/end"}, kAlways,
                  [] { QApplication::closeAllWindows(); });
    commands_.add("help.docs", tr("&Documentation"), "help", Key::HelpContents, tr("Read the documentation"),
                  {"help/docs"}, kAlways, [this] { show_help(QStringLiteral("window")); });
    commands_.add("help.whats_this", tr("&What's This?"), "", Key::WhatsThis,
                  tr("Click an item to show its description"), {"help/docs"}, kAlways,
                  [] { QWhatsThis::enterWhatsThisMode(); });
    commands_.add("help.about", tr("&About CubinLab"), "", kNoKey, tr("Version and licences"), {"help/about"},
                  kAlways, [this] { show_about(this, [this] { show_help(QStringLiteral("licences")); }); });
}

void MainWindow::make_agent_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    const DisabledReason running = all_of(
        rules.tunable, enabled_when([this] { return controller_->active(); }, tr("No agent is running.")));
    const DisabledReason not_stopping = enabled_when(
        [this] { return controller_->state() != RunState::Stopping; }, tr("The agent is already stopping."));
    commands_.add(
        "agent.start", tr("&Start"), "play", Key("F5"), tr("Start the agent on this kernel"), {"agent/run"},
        all_of(rules.tunable, enabled_when([this] { return controller_->state() == RunState::Idle; },
                                           tr("An agent is running. Stop it first (Shift+F5)."))),
        [this] { start_agent(agent_bar_->request()); });
    commands_.add(
        "agent.pause", tr("&Pause"), "pause", Key("F6"), tr("Pause or resume the agent"), {"agent/run"},
        all_of(running, all_of(not_stopping, enabled_when(
                                                 [this] {
                                                     return controller_->state() == RunState::Running ||
                                                            controller_->state() == RunState::Paused;
                                                 },
                                                 tr("The agent is still preparing.")))),
        [this] {
            if (controller_->state() == RunState::Paused)
                controller_->resume();
            else
                controller_->pause();
        });
    commands_.add("agent.stop", tr("S&top"), "stop", Key("Shift+F5"), tr("Stop the agent and keep its log"),
                  {"agent/run"}, all_of(running, not_stopping), [this] { controller_->stop(); });
}

void MainWindow::make_edit_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    commands_.add("edit.undo", tr("&Undo"), "undo", Key::Undo, tr("Undo the last hand edit"),
                  {"edit/undo", "bar/edit"},
                  all_of(rules.open, enabled_when([this] { return document_.hand().tree().can_undo(); },
                                                  tr("There is no hand edit to undo."))),
                  [this] { document_.hand().undo(); });
    commands_.add("edit.redo", tr("&Redo"), "redo", Key("Ctrl+Shift+Z"), tr("Redo the hand edit"),
                  {"edit/undo", "bar/edit"},
                  all_of(rules.open, enabled_when([this] { return document_.hand().tree().can_redo(); },
                                                  tr("There is no hand edit to redo."))),
                  [this] { document_.hand().redo(); });
    commands_.add("edit.from_right", tr("Copy ca&ndidate to hand schedule"), "", kNoKey,
                  tr("Make the right schedule the hand schedule; can be undone"), {"edit/right"},
                  all_of(rules.editable,
                         enabled_when([this] { return document_.pair().right_slot() != ScheduleSlot::Hand; },
                                      tr("The right side already shows the hand schedule."))),
                  [this] {
                      document_.hand().reset_hand_to(
                          document_.pair().right(),
                          tr("Copy %1 to hand schedule").arg(title_of(document_.pair().right_slot())));
                  });
    commands_.add("edit.copy", tr("&Copy"), "", Key::Copy, tr("Copy the selection of the focused view"),
                  {"edit/copy"}, kAlways, [] { copy_from(QApplication::focusWidget()); });
    commands_.add("edit.find", tr("&Find..."), "find", Key::Find, tr("Find text, a register or an opcode"),
                  {"edit/find"}, rules.open, [this] {
                      open_rest_of_bar(*find_);
                      find_->setFocus();
                      find_->selectAll();
                  });
    commands_.add("edit.find_next", tr("Find &next"), "", Key::FindNext, tr("Go to the next match"),
                  {"edit/find"}, rules.open, [this] { compare_->find(find_->text(), 1); });
    commands_.add("edit.find_previous", tr("Find &previous"), "", Key::FindPrevious,
                  tr("Go to the previous match"), {"edit/find"}, rules.open,
                  [this] { compare_->find(find_->text(), -1); });
}

void MainWindow::make_view_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    commands_.add(
        "go.back", tr("&Back"), "back", Key("Alt+Left"), tr("Go to the previous selection"),
        {"go/history", "row/history", "bar/go"},
        enabled_when([this] { return selection_.can_go_back(); }, tr("There is no previous selection.")),
        [this] { selection_.go_back(); });
    commands_.add(
        "go.forward", tr("&Forward"), "forward", Key("Alt+Right"), tr("Go to the next selection"),
        {"go/history", "row/history", "bar/go"},
        enabled_when([this] { return selection_.can_go_forward(); }, tr("There is no next selection.")),
        [this] { selection_.go_forward(); });
    commands_.add("go.previous_change", tr("&Previous change"), "previous-change", Key("Shift+F7"),
                  tr("Select the previous moved or changed instruction"), {"go/change", "bar/go"}, rules.open,
                  [this] {
                      if (!compare_->go_to_change(-1))
                          statusBar()->showMessage(tr("No more changes above"), 3000);
                  });
    commands_.add("go.next_change", tr("&Next change"), "next-change", Key("F7"),
                  tr("Select the next moved or changed instruction"), {"go/change", "bar/go"}, rules.open,
                  [this] {
                      if (!compare_->go_to_change(1))
                          statusBar()->showMessage(tr("No more changes below"), 3000);
                  });
    commands_.add("go.hot_loop", tr("&Hot loop"), "", Key("Ctrl+H"),
                  tr("Go to the first instruction of the hot loop"), {"go/hot"}, rules.open,
                  [this] { show_hot_loop(true); });
    commands_.add("go.next_wait", tr("Next long &wait"), "", Key("F9"),
                  tr("Go through the instructions that wait longest in the model"), {"go/hot"}, rules.open,
                  [this] { go_to_next_wait(); });
    commands_.add("go.offset", tr("Go to &offset..."), "", Key("Ctrl+G"),
                  tr("Select the instruction at an offset"), {"go/offset"}, rules.open,
                  [this] { ask_offset(); });
    commands_.add_toggle("view.follow_live", tr("Follow &live"), "follow", Key("Ctrl+L"),
                         tr("Show each new best of the agent"), {"agent/live", "bar/run"}, kAlways,
                         document_.pair().follow_live(),
                         [this](bool on) { document_.pair().set_follow_live(on); });
    commands_.add(
        "view.best_minimal", tr("Show mi&nimal best"), "", kNoKey,
        tr("Show the agent's best with its essential edits only"), {"agent/live"},
        all_of(all_of(rules.open,
                      enabled_when(
                          [this] { return document_.pair().schedule(ScheduleSlot::Minimal) != nullptr; },
                          tr("Find essential edits in the replay first."))),
               not_on_right(document_, ScheduleSlot::Minimal)),
        [this] { document_.pair().show_right(ScheduleSlot::Minimal); });
    commands_.add("view.reset", tr("&Reset layout"), "", kNoKey,
                  tr("Reset docks and tool bars to their defaults"), {}, kAlways, [this] { reset_layout(); });
    auto* themes = new QActionGroup(this);
    struct Mode {
        ThemeMode mode;
        const char* id;
        QString text, tip;
    };
    const Mode modes[] = {
        {ThemeMode::System, "view.theme_system", tr("&System"), tr("Follow the desktop theme")},
        {ThemeMode::Light, "view.theme_light", tr("&Light"), tr("Light theme")},
        {ThemeMode::Dark, "view.theme_dark", tr("&Dark"), tr("Dark theme")}};
    for (const auto& [mode, id, text, tip] : modes) {
        QAction* action =
            commands_.add_toggle(id, text, "", kNoKey, tip, {"theme/mode"}, kAlways,
                                 Theme::instance().mode() == mode, [this, mode = mode](bool on) {
                                     if (!on) return;
                                     Theme::instance().set_mode(mode);
                                     settings_.set_theme(mode);
                                 });
        themes->addAction(action);
    }
}

void MainWindow::make_toolbars() {
    auto* bar = new QToolBar(tr("Main"), this);
    bar->setObjectName(QStringLiteral("main_bar"));
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    for (const char* section : {"bar/file", "bar/go", "bar/edit", "bar/run"}) {
        for (QAction* action : commands_.at(QString::fromLatin1(section))) {
            bar->addAction(action);
            bar->widgetForAction(action)->setAccessibleName(action->text().remove(QLatin1Char('&')));
        }
        bar->addSeparator();
    }
    kernels_ = new ElidingCombo(bar);
    kernels_->setObjectName(QStringLiteral("kernels"));
    kernels_->setAccessibleName(tr("Kernel"));
    kernels_->setToolTip(tr("Kernels of this cubin"));
    kernels_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    kernels_->setMinimumWidth(110);
    kernels_->setMaximumWidth(260);  // a long name must not displace other actions
    kernels_->setPlaceholderText(tr("no kernel"));
    kernels_->setEnabled(false);  // until there is a choice
    bar->addWidget(kernels_);
    auto* chooser = new RunChooser(controller_.get(), bar);
    bar->addWidget(chooser);
    chooser->setEnabled(false);     // one run needs no choice
    chooser->setMinimumWidth(132);  // "Run 1: greedy"
    connect(chooser, &RunChooser::count_changed, chooser,
            [chooser](int count) { chooser->setEnabled(count > 1); });
    auto* stretch = new QWidget(bar);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    find_ = new QLineEdit(bar);
    find_->setObjectName(QStringLiteral("find"));
    find_->setPlaceholderText(tr("Find in listing"));
    find_->setAccessibleName(tr("Find in the listing"));
    find_->setClearButtonEnabled(true);
    find_->setMaximumWidth(230);
    find_count_ = new QLabel(find_);
    find_count_->setObjectName(QStringLiteral("find_count"));
    find_count_->setProperty("dim", true);
    find_count_->setAccessibleName(tr("Match and number of matches"));
    auto* inside = new QHBoxLayout(find_);
    constexpr int kRoomForCross = 24;
    inside->setContentsMargins(0, 0, kRoomForCross, 0);
    inside->addStretch(1);
    inside->addWidget(find_count_);
    // Returns to the listing and keeps the matches marked.
    auto* leave = new QShortcut(QKeySequence(Qt::Key_Escape), find_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] { compare_->setFocus(); });
    hand_->attach_search(find_);
    bar->addWidget(find_);
    addToolBar(bar);
    addToolBarBreak();
    agent_bar_ = new AgentBar(controller_.get(), &commands_, this);
    agent_bar_->set_request(settings_.last_request());
    addToolBar(agent_bar_);
}

void MainWindow::make_status_bar() {
    selection_text_ = new FittingLabel(this);
    selection_text_->setAccessibleName(tr("Selected instruction"));
    session_text_ = new FittingLabel(this);
    session_text_->setAccessibleName(tr("Session file"));
    auto* badge = new EvaluatorBadge(controller_.get(), this);
    for (FittingLabel* label : {selection_text_, session_text_}) {
        label->setContentsMargins(0, 0, 14, 0);
        label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    }
    statusBar()->addPermanentWidget(selection_text_);
    statusBar()->addPermanentWidget(session_text_);
    statusBar()->addPermanentWidget(badge);
    // Temporary messages have priority over permanent widgets.
    connect(statusBar(), &QStatusBar::messageChanged, this, [this, badge](const QString& text) {
        constexpr int kAround = 30;  // margins between them
        const int wanted = statusBar()->fontMetrics().horizontalAdvance(text) + selection_text_->width() +
                           session_text_->width() + badge->width() + kAround;
        const bool tight = !text.isEmpty() && wanted > statusBar()->width();
        for (FittingLabel* label : {selection_text_, session_text_})
            label->setVisible(!tight);
    });
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(4, 0, 6, 0);
}

void MainWindow::update_enabled() {
    commands_.update();
    messages_->update_actions();
    const bool paused = controller_->state() == RunState::Paused;
    QAction* pause = commands_[QStringLiteral("agent.pause")];
    pause->setText(paused ? tr("&Resume") : tr("&Pause"));
    pause->setIcon(themed_icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    find_->setEnabled(document_.is_open());
}

void MainWindow::make_menus() {
    const auto submenu = [this](QMenu* menu, const QString& title, const QStringList& sections) {
        QMenu* sub = menu->addMenu(title);
        commands_.fill(sub, sections);
        return sub;
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    commands_.fill(file, {"file/open"});
    recent_menu_ = file->addMenu(tr("Open &recent"));
    commands_.fill(file, {"file/session", "file/export"});
    submenu(file, tr("E&xport other"), {"file/export_more"});
    submenu(file, tr("Export chart or &graph"), {"export/curves", "export/graph", "export/flow"});
    commands_.fill(file, {"file/measure", "file/beside", "file/end"});
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    commands_.fill(edit, {"edit/undo", "edit/copy"});
    edit->addSeparator();
    submenu(edit, tr("&Move and reschedule"), {"edit/move", "edit/hand"});
    commands_.fill(edit,
                   {"edit/control", "edit/right", "edit/find", "edit/source", "edit/settings"});
    QMenu* go = menuBar()->addMenu(tr("&Go"));
    commands_.fill(go, {"go/history", "go/hot", "go/change", "go/offset", "go/bookmark", "go/window"});
    QMenu* windows = go->addMenu(tr("&Windows"));
    connect(windows, &QMenu::aboutToShow, this, [this, windows] { fill_windows(*this, *windows); });
    fill_windows(*this, *windows);
    QMenu* agent = menuBar()->addMenu(tr("&Agent"));
    commands_.fill(agent, {"agent/run", "agent/measure", "agent/live", "agent/scope"});
    submenu(agent, tr("&Replay"), {"replay/step", "replay/learned"});
    make_view_menu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    commands_.fill(help, {"help/docs", "help/use", "help/about"});
    row_menu_ = new QMenu(this);
    commands_.fill(row_menu_, {"row/move", "row/control", "row/history", "row/hand"});
    hand_->add_scoreboard_menu(row_menu_);
    for (QAction* action : commands_.at(QStringLiteral("row/places")))
        row_menu_->addAction(action);
    commands_.fill(row_menu_, {"row/notes"});
    fill_recent();
}

void MainWindow::make_view_menu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    commands_.fill(view, {"view/palette"});
    const auto submenu = [&](const QString& title, const QStringList& sections) {
        commands_.fill(view->addMenu(title), sections);
    };
    view->addSeparator();
    submenu(tr("&Theme"), {"theme/mode"});
    submenu(tr("Listing &columns"), {"columns/all"});
    submenu(tr("&Folding"), {"folding/all"});
    submenu(tr("Text &size"), {"view/text"});
    commands_.fill(view, {"view/listing", "view/compare"});
    view->addSeparator();
    QMenu* layout = view->addMenu(tr("La&yout"));
    connect(layout, &QMenu::aboutToShow, this, [this, layout] { layouts_->fill_menu(layout); });
    layouts_->fill_menu(layout);
    view->addSeparator();
    for (QDockWidget* dock : docks_)
        view->addAction(dock->toggleViewAction());
}

void MainWindow::fill_recent() {
    const QStringList paths = settings_.recent();
    recent_menu_->clear();
    for (const QString& path : paths)
        recent_menu_->addAction(
            Place::from(path).name() + QStringLiteral("    ") + Place::from(path).folder(), this,
            [this, path] { open_path(path); });
    recent_menu_->setEnabled(!paths.isEmpty());
    if (!paths.isEmpty()) {
        recent_menu_->addSeparator();
        recent_menu_->addAction(tr("Clear list"), this, [this] {
            settings_.forget_recent();
            fill_recent();
        });
    }
    start_->set_recent(paths);
}

}  // namespace cubinlab::ui
