// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shell.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTimer>

#include "core/jobs/compile.h"

#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/run/agent_bar.h"
#include "ui/sessions/session_browser.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/system_appearance.h"
#include "ui/settings/window_access.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/exports.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette_entries.h"
#include "ui/shell/pane_cycle.h"
#include "ui/shell/recovery.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/start_page.h"
#include "ui/shell/tour.h"
#include "ui/shell/why_disabled.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

using Key = QKeySequence;
constexpr int kLatelyLimit = 8;

// Puts an action before another one of a menu, so that menus stay in the order people expect.
void insert(QMenu* menu, QAction* before, std::initializer_list<QAction*> actions) {
    for (QAction* action : actions)
        menu->insertAction(before, action);
}

}  // namespace

Shell::Shell(MainWindow& window) : QObject(&window), window_(window) {
    layouts_ = new Layouts(window_, this);
    exports_ = new Exports(window_, this);
    recovery_ = new Recovery(window_, this);
    tour_ = new Tour(window_, this);
    add_file_commands();
    add_export_commands();
    add_agent_commands();
    add_view_commands();
    add_dock_commands();
    add_help_commands();
    add_menus();
    palette_ = new CommandPalette(
        [this](const QString& typed) { return palette_entries(window_, typed, lately_); }, &window_);
    window_.commands().set_general_why([this](const QString& id) { return why_disabled(window_, id); });
    for (QAction* action : window_.commands().all())
        connect(action, &QAction::triggered, this, [this, id = action->objectName()] {
            lately_.removeAll(id);
            lately_.prepend(id);
            lately_ = lately_.mid(0, kLatelyLimit);
        });
    connect(&window_.document(), &Document::opened, this, &Shell::update_enabled);
    connect(&window_.controller(), &RunController::runs_changed, this, &Shell::update_enabled);
    connect(&Windows::instance(), &Windows::changed, this, &Shell::update_enabled);
    connect(recovery_, &Recovery::offer_changed, this, &Shell::update_enabled);
    update_enabled();
    follow_system_colours();
    if (Windows::instance().all().empty()) recovery_->look_for_crashes();  // once a process
}

void Shell::add_file_commands() {
    Commands& commands = window_.commands();
    commands.add({"file.new_window", tr("&New window"), "", Key("Ctrl+N"),
                  tr("Open a further window, for another kernel or session")},
                 [] { Windows::instance().open_new(); });
    commands.add({"file.sessions", tr("&Sessions..."), "session", Key("Ctrl+Shift+O"),
                  tr("Look through the sessions: open, continue, delete")},
                 [this] { show_sessions(); });
    commands.add({"file.restore", tr("Restore after a &crash"), "", Key(),
                  tr("Bring back what was open when the program was killed")},
                 [this] { recovery_->restore_all(); });
    commands.add({"edit.settings", tr("&Settings..."), "", Key("Ctrl+,"),
                  tr("Colours, text sizes, tools, GPU workers, keys")},
                 [this] { show_settings({}); });
    commands.add({"view.next_window", tr("Next &window"), "", Key("Ctrl+Alt+PgDown"),
                  tr("Go to the next window of this program")},
                 [this] { Windows::instance().go_to_next(&window_, 1); });
    commands.add({"view.previous_window", tr("Pre&vious window"), "", Key("Ctrl+Alt+PgUp"),
                  tr("Go to the window before this one")},
                 [this] { Windows::instance().go_to_next(&window_, -1); });
}

void Shell::add_export_commands() {
    Commands& commands = window_.commands();
    const auto add = [&](const char* id, const QString& text, const QString& tip, ExportKind kind) {
        commands.add({QString::fromLatin1(id), text, "", Key(), tip},
                     [this, kind] { exports_->ask_and_export(kind); });
    };
    add("file.export_listing", tr("&Listing as text..."), tr("Write the schedule on the right as text"),
        ExportKind::Listing);
    add("file.export_diff", tr("&Differences as text..."),
        tr("Write what turns the schedule on the left into the one on the right"), ExportKind::Diff);
    add("file.export_log", tr("Log of &mutations as CSV..."),
        tr("Write every step of the shown run as a table"), ExportKind::Csv);
    add("file.report", tr("&Report as HTML..."),
        tr("Write one HTML file that tells the shown run to people without this program"),
        ExportKind::Report);
}

void Shell::add_agent_commands() {
    window_.commands().add({"agent.continue", tr("&Continue run"), "play", Key("Ctrl+F5"),
                            tr("Go on with a stopped or killed run for a further budget")},
                           [this] { continue_run(); });
}

// A run goes on with the locks and the scope it was started with: its log was made under these.
void Shell::continue_run() {
    const RunInfo* run = window_.controller().run_to_continue();
    if (run == nullptr) return;
    const std::size_t size = window_.document().kernel()->size();
    if (run->locked != window_.hand_tools().closed_to_agents())
        window_.messages().post({MessageKind::Warning,
                                 tr("Run %1 keeps its own locks").arg(run->id),
                                 tr("It was started with %1 of %2 instructions open to the agent and goes on "
                                    "with these. The locks "
                                    "and the scope that are set now hold for new runs.")
                                     .arg(size - run->locked.size())
                                     .arg(size),
                                 {},
                                 0});
    window_.controller().continue_run(run->id, window_.agent_bar().request().budget);
}

WindowAccess Shell::access() {
    WindowAccess out;
    out.widget = &window_;
    out.settings = &window_.settings();
    out.commands = &window_.commands();
    out.jobs = &window_.jobs();
    out.controller = &window_.controller();
    out.agent_bar = &window_.agent_bar();
    out.each_window = [](const auto& visit) {
        for (MainWindow* each : Windows::instance().all())
            visit(each->controller(), each->agent_bar());
    };
    out.forget_recent = [] {
        for (MainWindow* each : Windows::instance().all())
            each->refresh_recent();
    };
    out.open_here = [this](const QString& path) { window_.open_path(path); };
    out.open_in_new = [](const QString& path) { Windows::instance().open_new(path); };
    out.show_where_open = [](const QString& path) {
        MainWindow* there = Windows::instance().showing(path);
        if (there != nullptr) Windows::bring_up(there);
        return there != nullptr;
    };
    return out;
}

SettingsDialog* Shell::show_settings(const QString& page) {
    if (!settings_) {
        settings_ = new SettingsDialog(access());
        settings_->setAttribute(Qt::WA_DeleteOnClose);
    }
    if (!page.isEmpty()) settings_->show_page(page);
    Windows::bring_up(settings_);
    return settings_;
}

SessionBrowser* Shell::show_sessions() {
    if (!sessions_) {
        sessions_ = new SessionBrowser(access());
        sessions_->setAttribute(Qt::WA_DeleteOnClose);
    }
    Windows::bring_up(sessions_);
    return sessions_;
}

void Shell::follow_system_colours() {
    connect(&SystemAppearance::instance(), &SystemAppearance::changed, &Theme::instance(),
            &Theme::set_system_dark, Qt::UniqueConnection);
}

void Shell::change_text_size(int by) {
    Theme& theme = Theme::instance();
    Settings& settings = window_.settings();
    const int ui = by == 0 ? 0 : theme.ui_points() + by;
    const int mono = by == 0 ? Settings::kMonoPoints : theme.mono_points() + by;
    theme.set_ui_points(ui);
    theme.set_mono_points(mono);
    settings.set_ui_points(by == 0 ? 0 : theme.ui_points());
    settings.set_mono_points(theme.mono_points());
    window_.statusBar()->showMessage(
        tr("Text: interface %1, listings %2 points").arg(theme.ui_points()).arg(theme.mono_points()), 3000);
}

void Shell::add_view_commands() {
    Commands& commands = window_.commands();
    commands.add({"view.palette", tr("&Command palette..."), "find", Key("Ctrl+Shift+P"),
                  tr("Find and do any command by name")},
                 [this] { show_palette(); });
    commands.add(
        {"go.next_pane", tr("Next &pane"), "", Key("Ctrl+F6"), tr("Give the keyboard to the next pane")},
        [this] { window_.statusBar()->showMessage(go_to_pane(window_, 1), 3000); });
    commands.add({"go.previous_pane", tr("Previous p&ane"), "", Key("Ctrl+Shift+F6"),
                  tr("Give the keyboard to the pane before")},
                 [this] { window_.statusBar()->showMessage(go_to_pane(window_, -1), 3000); });
    commands.add({"view.larger", tr("&Larger text"), "", Key::ZoomIn, tr("Larger text everywhere")},
                 [this] { change_text_size(1); });
    commands.add({"view.smaller", tr("S&maller text"), "", Key::ZoomOut, tr("Smaller text everywhere")},
                 [this] { change_text_size(-1); });
    commands.add(
        {"view.normal_size", tr("&Normal text size"), "", Key("Ctrl+0"), tr("Text sizes as at first")},
        [this] { change_text_size(0); });
    for (const QString& id : built_in_layouts())
        commands.add({QStringLiteral("layout.") + id, title_of_layout(id), "", Key(),
                      tr("Arrange the docks for this work")},
                     [this, id] { apply_built_in_layout(window_, id); });
    commands.add(
        {"layout.save", tr("&Save as..."), "", Key(), tr("Keep this arrangement of the docks under a name")},
        [this] { layouts_->ask_and_save(); });
}

// A dock behind a tab or closed comes to the front and takes the keyboard.
void Shell::add_dock_commands() {
    int number = 0;
    for (QDockWidget* dock : window_.docks()) {
        ++number;
        const QString id = QStringLiteral("view.show_") + dock->objectName().mid(5);
        const Key key = number <= 9 ? Key(QStringLiteral("Alt+%1").arg(number)) : Key();
        window_.commands().add({id, tr("Show %1").arg(dock->windowTitle()), "", key,
                                tr("Bring this dock to the front and give it the keyboard")},
                               [dock] {
                                   dock->show();
                                   dock->raise();
                                   if (dock->widget() != nullptr) dock->widget()->setFocus();
                               });
    }
}

void Shell::add_help_commands() {
    window_.commands().add(
        {"help.tour", tr("Two-minute &tour"), "", Key(), tr("A guided walk through the main job")},
        [this] { tour_->start(); });
    window_.commands().add({"help.keys", tr("&Keys..."), "", Key(), tr("All keys, and how to change them")},
                           [this] { show_settings(QStringLiteral("keys")); });
    connect(&window_.start_page(), &StartPage::tour_asked, this, [this] { tour_->start(); });
    connect(&window_.start_page(), &StartPage::tools_asked, this,
            [this] { show_settings(QStringLiteral("tools")); });
    connect(&window_.start_page(), &StartPage::sessions_asked, this, [this] { show_sessions(); });
    connect(&window_.controller(), &RunController::evaluator_changed, this, &Shell::tell_tools);
    tell_tools();
}

void Shell::tell_tools() {
    const auto& gpu = window_.controller().gpu();
    if (!gpu)
        window_.start_page().set_status(tr("Looking for a GPU ..."));
    else if (gpu->present)
        window_.start_page().set_status(tr("Measures on %1.").arg(QString::fromStdString(gpu->device)));
    else
        window_.start_page().set_status(
            tr("No GPU found: agents run on the model, nothing is called measured."));
}

void Shell::add_menus() {
    Commands& commands = window_.commands();
    const auto menu = [this](const char* name) {
        return window_.menuBar()->findChild<QMenu*>(QString::fromLatin1(name));
    };
    add_file_menu();
    add_view_menu();
    if (QMenu* edit = menu("edit_menu")) {
        edit->addSeparator();
        edit->addAction(commands[QStringLiteral("edit.settings")]);
    }
    if (QMenu* go = menu("go_menu")) {
        go->addSeparator();
        for (const char* id :
             {"go.next_pane", "go.previous_pane", "view.next_window", "view.previous_window"})
            go->addAction(commands[QString::fromLatin1(id)]);
    }
    if (QMenu* help = menu("help_menu"))
        insert(help, commands[QStringLiteral("help.about")],
               {commands[QStringLiteral("help.tour")], commands[QStringLiteral("help.keys")]});
    if (QMenu* agent = menu("agent_menu"))
        agent->insertAction(commands[QStringLiteral("agent.pause")],
                            commands[QStringLiteral("agent.continue")]);
}

void Shell::add_file_menu() {
    QMenu* file = window_.menuBar()->findChild<QMenu*>(QStringLiteral("file_menu"));
    if (file == nullptr) return;
    Commands& commands = window_.commands();
    insert(file, file->actions().value(0), {commands[QStringLiteral("file.new_window")]});
    QAction* exports = commands[QStringLiteral("file.export_best")];
    insert(file, exports,
           {commands[QStringLiteral("file.sessions")], commands[QStringLiteral("file.restore")]});
    file->insertSeparator(exports);
    auto* more = new QMenu(tr("E&xport more"), file);
    for (const char* id : {"file.export_listing", "file.export_diff", "file.export_log", "file.report"})
        more->addAction(commands[QString::fromLatin1(id)]);
    file->insertMenu(commands[QStringLiteral("file.measure")], more);
    file->insertSeparator(commands[QStringLiteral("file.measure")]);
}

void Shell::add_view_menu() {
    QMenu* view = window_.menuBar()->findChild<QMenu*>(QStringLiteral("view_menu"));
    if (view == nullptr) return;
    Commands& commands = window_.commands();
    QAction* first = view->actions().value(0);
    insert(view, first, {commands[QStringLiteral("view.palette")]});
    view->insertSeparator(first);
    QAction* reset = commands[QStringLiteral("view.reset")];
    insert(view, reset,
           {commands[QStringLiteral("view.larger")], commands[QStringLiteral("view.smaller")],
            commands[QStringLiteral("view.normal_size")]});
    view->insertSeparator(reset);
    auto* layout = new QMenu(tr("La&yout"), view);
    view->insertMenu(reset, layout);
    view->removeAction(reset);
    connect(layout, &QMenu::aboutToShow, this, [this, layout] { layouts_->fill_menu(layout); });
    layouts_->fill_menu(layout);
}

bool Shell::closing_waits() {
    if (!evaluating() || closing_) return false;
    closing_ = true;
    window_.controller().stop();
    window_.actions().stop_measuring();
    window_.hand_tools().trial()->cancel();
    window_.messages().post({MessageKind::Info,
                             tr("Closing"),
                             tr("One evaluation is still under way; the window closes when it is logged. "
                                "Closing again does not wait."),
                             {{tr("Keep the window open"), [this] { closing_ = false; }}},
                             0});
    close_when_idle();
    return true;
}

// What a closing window waits for.
bool Shell::evaluating() const {
    return window_.controller().active() || window_.actions().busy() || window_.hand_tools().trial()->busy();
}

void Shell::close_when_idle() {
    constexpr int kLookEveryMs = 50;
    QTimer::singleShot(kLookEveryMs, this, [this] {
        if (!closing_) return;
        if (!evaluating())
            window_.close();
        else
            close_when_idle();
    });
}

bool Shell::open_as_source(const QString& path) {
    if (!is_source(path.toStdString())) return false;
    const auto& gpu = window_.controller().gpu();
    const QString arch = gpu && gpu->present
                             ? QStringLiteral("sm_%1%2").arg(gpu->sm).arg(gpu->sm >= 90 ? "a" : "")
                             : QStringLiteral("sm_90a");
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                           QStringLiteral("/cubinlab/compiled");
    window_.statusBar()->showMessage(tr("Compiling %1 for %2 ...").arg(QFileInfo(path).fileName(), arch));
    window_.jobs().run<Result<std::filesystem::path>>(
        QStringLiteral("compile"),
        [path, arch, folder, nvcc = window_.settings().nvcc()](std::stop_token stop) {
            return compile_source(path.toStdString(), arch.toStdString(), folder.toStdString(),
                                  nvcc.toStdString(), stop);
        },
        [this, path](Result<std::filesystem::path> cubin) {
            window_.statusBar()->clearMessage();
            if (!cubin) return window_.show_error(cubin.error());
            source_ = path;
            window_.open_path(QString::fromStdString(cubin->string()));
        },
        JobRunner::Life::Window);
    return true;
}

void Shell::show_palette() {
    palette_->open();
}

void Shell::update_enabled() {
    Commands& commands = window_.commands();
    const bool open = window_.document().is_open();
    for (const QString& id : built_in_layouts())
        commands[QStringLiteral("layout.") + id]->setEnabled(open);
    commands[QStringLiteral("layout.save")]->setEnabled(open);
    for (QAction* action : commands.all())
        if (action->objectName().startsWith(QLatin1String("view.show_"))) action->setEnabled(open);
    const auto set = [&](const char* id, bool on) { commands[QString::fromLatin1(id)]->setEnabled(on); };
    set("file.export_listing", exports_->can_export(ExportKind::Listing));
    set("file.export_diff", exports_->can_export(ExportKind::Diff));
    set("file.export_log", exports_->can_export(ExportKind::Csv));
    set("file.report", exports_->can_export(ExportKind::Report));
    set("file.restore", recovery_->has_offer());
    commands.set_why_disabled(QStringLiteral("file.restore"), tr("No window was lost."));
    set("agent.continue", open && window_.document().can_edit() && !window_.controller().active() &&
                              window_.controller().run_to_continue() != nullptr);
    const bool several = Windows::instance().all().size() > 1;
    for (const char* id : {"view.next_window", "view.previous_window"}) {
        set(id, several);
        commands.set_why_disabled(QString::fromLatin1(id),
                                  tr("There is only this window (Ctrl+N opens another)."));
    }
}

}  // namespace cubinlab::ui
