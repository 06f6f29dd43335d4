// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: what it has next to its views (palette, settings, layouts, sessions, campaign, profile, exports, recovery)
// with the commands of these, and what a closing window waits for.

#include <QAction>
#include <QDockWidget>
#include <QPointer>
#include <QStatusBar>
#include <QTimer>

#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/document/command_rules.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/compare_view.h"
#include "ui/run/agent_bar.h"
#include "ui/run/window_context.h"
#include "ui/sessions/campaign_window.h"
#include "ui/sessions/session_browser.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/system_appearance.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/exports.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pane_cycle.h"
#include "ui/shell/profile_dialog.h"
#include "ui/shell/recovery.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

using Key = QKeySequence;
constexpr int kRecentCommands = 8;

}  // namespace

void MainWindow::make_tools() {
    layouts_ = new Layouts(*this, this);
    exports_ = new Exports(*this, this);
    recovery_ = new Recovery(*this, this);
    make_window_commands();
    make_export_commands();
    make_run_commands();
    make_layout_commands();
    make_dock_commands();
    make_help_commands();
    palette_ = new CommandPalette(
        [this](const QString& typed) { return palette_entries(*this, typed, recent_commands_); }, this);
    for (QAction* action : commands_.all())
        connect(action, &QAction::triggered, this, [this, id = action->objectName()] {
            recent_commands_.removeAll(id);
            recent_commands_.prepend(id);
            recent_commands_ = recent_commands_.mid(0, kRecentCommands);
        });
    connect(opener_, &Opener::opened, &commands_, &Commands::update);
    connect(controller_.get(), &RunController::runs_changed, &commands_, &Commands::update);
    connect(&Windows::instance(), &Windows::changed, &commands_, &Commands::update);
    connect(recovery_, &Recovery::offer_changed, &commands_, &Commands::update);
    connect(&SystemAppearance::instance(), &SystemAppearance::changed, &Theme::instance(),
            &Theme::set_system_dark, Qt::UniqueConnection);
    if (Windows::instance().all().empty()) recovery_->look_for_crashes();  // once a process
}

void MainWindow::make_window_commands() {
    commands_.add("file.new_window", tr("&New window"), "", Key("Ctrl+N"),
                  tr("Open another window for another kernel or session"), {"file/open"}, kAlways,
                  [] { Windows::instance().open_new(); });
    commands_.add("file.sessions", tr("&Sessions..."), "session", Key("Ctrl+Shift+O"),
                  tr("Open, continue or delete sessions"), {"file/session"}, kAlways,
                  [this] { show_sessions(); });
    commands_.add("file.campaign", tr("Tune all kernels in a fol&der..."), "", kNoKey,
                  tr("Tune all captured kernels of a folder, with budget in proportion to run time"),
                  {"file/session"}, kAlways, [this] { show_campaign(); });
    commands_.add("file.restore", tr("Restore after a &crash"), "", kNoKey,
                  tr("Restore the windows of a program that crashed or was killed"), {"file/session"},
                  enabled_when([this] { return recovery_->has_offer(); }, tr("There is nothing to restore.")),
                  [this] { recovery_->restore_all(); });
    commands_.add("edit.settings", tr("&Settings..."), "", Key("Ctrl+,"),
                  tr("Theme, font sizes, tools, GPU workers, shortcuts"), {"edit/settings"}, kAlways,
                  [this] { show_settings({}); });
    const DisabledReason several = enabled_when([] { return Windows::instance().all().size() > 1; },
                                                tr("There is only one window (Ctrl+N opens another)."));
    commands_.add("view.next_window", tr("Next &window"), "", Key("Ctrl+Alt+PgDown"),
                  tr("Go to the next window of this program"), {"go/window"}, several,
                  [this] { Windows::instance().go_to_next(this, 1); });
    commands_.add("view.previous_window", tr("Pre&vious window"), "", Key("Ctrl+Alt+PgUp"),
                  tr("Go to the previous window of this program"), {"go/window"}, several,
                  [this] { Windows::instance().go_to_next(this, -1); });
}

void MainWindow::make_export_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    const auto add = [&](const char* id, const QString& text, const QString& tip, ExportKind kind) {
        const DisabledReason logged =
            enabled_when([this, kind] { return exports_->can_export(kind); },
                         tr("There is no logged run yet: run an agent or edit by hand."));
        commands_.add(QString::fromLatin1(id), text, "", Key(), tip, {"file/export_more"},
                      all_of(rules.open, logged), [this, kind] { exports_->ask_and_export(kind); });
    };
    add("file.export_listing", tr("&Listing as text..."), tr("Write the schedule on the right as text"),
        ExportKind::Listing);
    add("file.export_diff", tr("&Differences as text..."),
        tr("Write the edits that turn the left schedule into the right one"), ExportKind::Diff);
    add("file.export_log", tr("&Mutation log as CSV..."), tr("Write every step of the shown run as a table"),
        ExportKind::Csv);
    add("file.report", tr("&Report as HTML..."), tr("Write a self-contained HTML report of the shown run"),
        ExportKind::Report);
}

void MainWindow::make_run_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    const DisabledReason idle = enabled_when([this] { return !controller_->active(); },
                                             tr("An agent is running. Stop it first (Shift+F5)."));
    const DisabledReason resumable =
        enabled_when([this] { return controller_->run_to_continue() != nullptr; },
                     tr("The session has no resumable agent run."));
    commands_.add("agent.continue", tr("&Continue run"), "play", Key("Ctrl+F5"),
                  tr("Resume a stopped or killed run with another budget"), {"agent/run"},
                  all_of(rules.editable, all_of(idle, resumable)), [this] { continue_run(); });
    const DisabledReason launched = [this]() -> QString {
        if (document_.workload()) return {};
        const QString problem = document_.workload_problem();
        return problem.isEmpty() ? tr("There is no workload file next to the cubin.") : problem;
    };
    const DisabledReason gpu_free = [this]() -> QString {
        if (controller_->active())
            return tr("The agent is using the evaluator. Stop it or wait until it has finished.");
        const QString& by = controller_->gpu_taken();
        return by.isEmpty() ? QString() : tr("%1 is using the GPU.").arg(by);
    };
    commands_.add("agent.profile", tr("Pro&file with Nsight Compute..."), "", kNoKey,
                  tr("Show where warps stall in the original and in the right schedule"), {"agent/measure"},
                  all_of(rules.open, all_of(launched, gpu_free)), [this] { show_profile()->profile(); });
}

// A resumed run keeps its original locks and scope, because its log depends on them.
void MainWindow::continue_run() {
    const RunInfo* run = controller_->run_to_continue();
    if (run == nullptr) return;
    const std::size_t size = document_.kernel()->size();
    if (run->locked != hand_->closed_to_agents())
        messages_->post(MessageKind::Warning, tr("Run %1 keeps its own locks").arg(run->id),
                        tr("It continues with its %1 of %2 editable instructions. The current locks "
                           "and scope apply to new runs.")
                            .arg(size - run->locked.size())
                            .arg(size));
    controller_->continue_run(run->id, agent_bar_->request().budget);
}

WindowContext MainWindow::context() {
    WindowContext out;
    out.widget = this;
    out.settings = &settings_;
    out.commands = &commands_;
    out.document = &document_;
    out.selection = &selection_;
    out.jobs = &jobs_;
    out.controller = controller_.get();
    out.agent_bar = agent_bar_;
    out.messages = messages_;
    out.say = [this](const QString& text) { statusBar()->showMessage(text, 5000); };
    out.each_window = [](const auto& visit) {
        for (MainWindow* each : Windows::instance().all())
            visit(each->controller(), each->agent_bar());
    };
    out.forget_recent = [] {
        for (MainWindow* each : Windows::instance().all())
            each->refresh_recent();
    };
    out.open_here = [this](const QString& path) { open_path(path); };
    out.open_in_new = [](const QString& path) { Windows::instance().open_new(path); };
    out.show_where_open = [](const QString& path) {
        MainWindow* there = Windows::instance().showing(path);
        if (there != nullptr) Windows::bring_up(there);
        return there != nullptr;
    };
    return out;
}

template <class Dialog>
Dialog* MainWindow::bring(QPointer<Dialog>& dialog, bool goes_when_closed) {
    if (!dialog) {
        dialog = new Dialog(context());
        dialog->setAttribute(Qt::WA_DeleteOnClose, goes_when_closed);
    }
    Windows::bring_up(dialog);
    return dialog;
}

SettingsDialog* MainWindow::show_settings(const QString& page) {
    bring(settings_dialog_, true);
    if (!page.isEmpty()) settings_dialog_->show_page(page);
    return settings_dialog_;
}

SessionBrowser* MainWindow::show_sessions() {
    return bring(sessions_, true);
}

CampaignWindow* MainWindow::show_campaign() {
    return bring(campaign_, false);
}

ProfileDialog* MainWindow::show_profile() {
    connect(bring(profile_, false), &ProfileDialog::profiled, compare_, &CompareView::set_profile,
            Qt::UniqueConnection);
    return profile_;
}

void MainWindow::change_text_size(int by) {
    Theme& theme = Theme::instance();
    const int ui = by == 0 ? 0 : theme.ui_points() + by;
    const int mono = by == 0 ? Settings::kMonoPoints : theme.mono_points() + by;
    theme.set_ui_points(ui);
    theme.set_mono_points(mono);
    settings_.ui_points.set(by == 0 ? 0 : theme.ui_points());
    settings_.mono_points.set(theme.mono_points());
    statusBar()->showMessage(
        tr("Text: interface %1, listings %2 points").arg(theme.ui_points()).arg(theme.mono_points()), 3000);
}

void MainWindow::make_layout_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    commands_.add("view.palette", tr("&Command palette..."), "find", Key("Ctrl+Shift+P"),
                  tr("Find and run a command by name"), {"view/palette"}, kAlways,
                  [this] { palette_->open(); });
    commands_.add("go.next_pane", tr("Next &pane"), "", Key("Ctrl+F6"),
                  tr("Move the keyboard focus to the next pane"), {"go/window"}, kAlways,
                  [this] { statusBar()->showMessage(go_to_pane(*this, 1), 3000); });
    commands_.add("go.previous_pane", tr("Previous p&ane"), "", Key("Ctrl+Shift+F6"),
                  tr("Move the keyboard focus to the previous pane"), {"go/window"}, kAlways,
                  [this] { statusBar()->showMessage(go_to_pane(*this, -1), 3000); });
    commands_.add("view.larger", tr("&Larger text"), "", Key::ZoomIn, tr("Larger text everywhere"),
                  {"view/text"}, kAlways, [this] { change_text_size(1); });
    commands_.add("view.smaller", tr("S&maller text"), "", Key::ZoomOut, tr("Smaller text everywhere"),
                  {"view/text"}, kAlways, [this] { change_text_size(-1); });
    commands_.add("view.normal_size", tr("&Normal text size"), "", Key("Ctrl+0"), tr("Reset text sizes"),
                  {"view/text"}, kAlways, [this] { change_text_size(0); });
    for (const QString& id : built_in_layouts())
        commands_.add(QStringLiteral("layout.") + id, title_of_layout(id), "", kNoKey,
                      tr("Apply this dock layout"), {}, rules.open,
                      [this, id] { apply_built_in_layout(*this, id); });
    commands_.add("layout.save", tr("&Save as..."), "", kNoKey,
                  tr("Save the current dock layout under a name"), {}, rules.open,
                  [this] { layouts_->ask_and_save(); });
}

// Brings a closed or tabbed dock to the front and focuses it.
void MainWindow::make_dock_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    int number = 0;
    for (QDockWidget* dock : docks_) {
        ++number;
        const QString id = QStringLiteral("view.show_") + dock->objectName().mid(5);
        const Key key = number <= 9 ? Key(QStringLiteral("Alt+%1").arg(number)) : Key();
        commands_.add(id, tr("Show %1").arg(dock->windowTitle()), "", key,
                      tr("Bring this dock to the front and focus it"), {}, rules.open, [dock] {
                          MainWindow::bring_forward(dock);
                          if (dock->widget() != nullptr) dock->widget()->setFocus();
                      });
    }
}

void MainWindow::make_help_commands() {
    commands_.add("help.keys", tr("&Keyboard shortcuts..."), "", kNoKey,
                  tr("View and change keyboard shortcuts"), {"help/use"}, kAlways,
                  [this] { show_settings(QStringLiteral("keys")); });
    connect(start_, &StartPage::tools_asked, this, [this] { show_settings(QStringLiteral("tools")); });
    connect(start_, &StartPage::sessions_asked, this, [this] { show_sessions(); });
    connect(controller_.get(), &RunController::evaluator_changed, this, &MainWindow::tell_tools);
    tell_tools();
}

void MainWindow::tell_tools() {
    const auto& gpu = controller_->gpu();
    if (!gpu)
        start_->set_status(tr("Looking for a GPU..."));
    else if (gpu->present)
        start_->set_status(tr("Measuring on %1.").arg(QString::fromStdString(gpu->device)));
    else
        start_->set_status(tr("No GPU found. Agents use the SM model; results are marked unmeasured."));
}

bool MainWindow::closing_waits() {
    if (!evaluating() || closing_) return false;
    closing_ = true;
    controller_->stop();
    actions_->stop_measuring();
    hand_->trial()->cancel();
    jobs_.request_stop(JobRunner::Lane::Dialog);
    messages_->post(MessageKind::Info, tr("Closing"),
                    tr("Finishing one evaluation... Close again to quit now."), 0,
                    {{tr("Keep window open"), [this] { closing_ = false; }}});
    close_when_idle();
    return true;
}

// Waits for the last evaluation before closing.
bool MainWindow::evaluating() const {
    return controller_->active() || actions_->busy() || hand_->trial()->busy() ||
           jobs_.busy(JobRunner::Lane::Dialog);
}

void MainWindow::close_when_idle() {
    constexpr int kLookEveryMs = 50;
    QTimer::singleShot(kLookEveryMs, this, [this] {
        if (!closing_) return;
        if (!evaluating())
            close();
        else
            close_when_idle();
    });
}

}  // namespace cubinlab::ui
