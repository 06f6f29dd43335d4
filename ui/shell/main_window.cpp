// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QInputDialog>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include "core/result/all_candidates_failed.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/message_bar.h"
#include "ui/base/plain_text.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_name.h"
#include "ui/document/place.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"
#include "ui/run/agent_bar.h"
#include "ui/run/output_gate.h"
#include "ui/shell/carry_over.h"
#include "ui/shell/dock_room.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/help_window.h"
#include "ui/shell/recovery.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/shell.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"
#include "ui/source/source_edit.h"
#include "ui/source/source_view.h"

namespace cubinlab::ui {
MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    PlainText::keep();
    controller_ = std::make_unique<RunController>(document_, jobs_);
    opener_ = new Opener(document_, selection_, *controller_, jobs_, this);
    setWindowIcon(app_icon());
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    // All of it on the screen, with room for a panel and the frame of the window.
    constexpr double kShareOfScreen = 0.94;
    const QSize first = QSize(1600, 1000).boundedTo(screen()->availableGeometry().size() * kShareOfScreen);
    resize(first);
    make_central();
    make_commands();
    make_toolbars();
    make_docks();
    make_status_bar();
    connect_all();
    shell_ = new Shell(*this);
    make_menus();
    update_enabled();
    update_title();
    default_layout_ = saveState();
    if (const QByteArray docks = settings_.dock_state(); !docks.isEmpty()) restoreState(docks);
    show_docks(false);
    layout()->activate();  // or the docks, hidden now, would still say how small the window may be
    // Only now, as they have made it larger. A size of a much wider screen is not taken, and this one stays.
    resize(first);
    if (!settings_.geometry().isEmpty()) restoreGeometry(settings_.geometry());
    dock_room_ = new DockRoom(this);
    controller_->set_gpu_settings(settings_.gpu());
    controller_->probe_gpu_now();
    Windows::instance().add(this);
    OpenFiles::instance().add(this, [this] {
        auto files = open_files(document_, *controller_);
        if (!source_.isEmpty()) files.emplace_back(source_.toStdString());
        return files;
    });
}

MainWindow::~MainWindow() {
    // Docks are hidden while the window goes, when it is no longer one that could answer.
    for (QDockWidget* dock : docks_) {
        dock->disconnect(this);
        dock->toggleViewAction()->disconnect(this);
    }
    Windows::instance().remove(this);
    OpenFiles::instance().remove(this);
    controller_.reset();  // before the document, which it logs
}

void MainWindow::make_central() {
    messages_ = new MessageBar(this);
    start_ = new StartPage(&jobs_, this);
    compare_ = new CompareView(&document_, &selection_, this);
    pages_ = new QStackedWidget(this);
    pages_->addWidget(start_);
    pages_->addWidget(compare_);
    // What the listings ask for depends on the columns that the width lets them show: it must not keep the
    // window from getting narrower.
    pages_->setMinimumWidth(560);
    // Nor must the page that is not shown keep it from getting lower, or the docks from their share.
    const auto let_go_of_hidden = [this] {
        for (int i = 0; i < pages_->count(); ++i) {
            QSizePolicy policy = pages_->widget(i)->sizePolicy();
            policy.setVerticalPolicy(i == pages_->currentIndex() ? QSizePolicy::Preferred
                                                                 : QSizePolicy::Ignored);
            pages_->widget(i)->setSizePolicy(policy);
        }
    };
    connect(pages_, &QStackedWidget::currentChanged, this, let_go_of_hidden);
    let_go_of_hidden();
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messages_);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
    actions_ = new ScheduleActions(document_, *controller_, jobs_, *messages_, settings_, this);
    hand_ = new HandTools({&document_, &selection_, &jobs_, &commands_, compare_, messages_,
                           controller_.get(), [this](InstrId* id) { return edit_target(id); },
                           [this](const QString& text) { statusBar()->showMessage(text, 5000); }},
                          this);
}

void MainWindow::connect_all() {
    connect(start_, &StartPage::open_asked, this, &MainWindow::ask_open);
    connect(start_, &StartPage::file_chosen, this, [this](const QString& path) { open_path(path); });
    connect(opener_, &Opener::opening, this, &MainWindow::say_opening);
    connect(opener_, &Opener::opened, this, &MainWindow::document_opened);
    connect(opener_, &Opener::choice_wanted, this, &MainWindow::ask_which_kernel);
    connect(opener_, &Opener::leaving, this, [this] { left_ = leaves_now(); });
    connect(opener_, &Opener::failed, this, [this](const Error& error, const OpenRequest& request) {
        source_edit().replaced();  // no other cubin comes for its text
        carry_over_->drop();
        say_not_opened(error, request);
    });
    connect(&source_edit(), &SourceEdit::open_asked, this,
            [this](const QString& cubin, const QString& kernel) {
                opener_->open({.path = cubin.toStdString(), .kernel = kernel.toStdString()});
            });
    carry_over_ = new CarryOver(document_, jobs_, *messages_, this);
    auto* file_watch = new FileWatch(document_, jobs_, this);
    connect(file_watch, &FileWatch::holds_other_code, this, &MainWindow::say_other_code);
    connect(file_watch, &FileWatch::holds_this_code_again, this, [this] { messages_->clear_about(kOfFile); });
    connect(&document_, &Document::leaving, this, [this] {
        // The buttons of the others act on what was open.
        messages_->clear_all_but({kOfLeft, kOfLost, ScheduleActions::kOfMeasuring});
        find_->clear();
        statusBar()->clearMessage();
    });
    connect(&document_, &Document::closed, this, &MainWindow::document_closed);
    connect(&document_, &Document::words_only, this, &MainWindow::say_words_only);
    connect(&document_, &Document::not_editable, this,
            [this](const Error& error) { show_error(error, tr("Not editable")); });
    connect(&document_, &Document::checker_ready, this, &MainWindow::update_enabled);
    connect(&document_, &Document::file_checked, this, &MainWindow::say_what_check_found);
    connect(&document_, &Document::hand_changed, this, [this] {
        messages_->clear(MessageKind::Refused);
        drop_hand_edits_ = false;
        update_enabled();
    });
    connect(&document_, &Document::pair_changed, this, [this] {
        messages_->clear_about(kOfShown);
        update_enabled();
    });
    connect(&document_, &Document::pair_changed, this, &MainWindow::update_selection_text);
    connect(&document_, &Document::edit_refused, this, &MainWindow::show_refusal);
    connect(&document_, &Document::follow_live_changed, this,
            [this](bool on) { commands_[QStringLiteral("view.follow_live")]->setChecked(on); });
    connect(&selection_, &Selection::changed, this, [this] {
        update_enabled();
        update_selection_text();
    });
    connect(&selection_, &Selection::history_changed, this, &MainWindow::update_enabled);
    connect(controller_.get(), &RunController::state_changed, this, [this] {
        if (controller_->state() != RunState::Idle) {
            messages_->clear_about(kOfRun);
            messages_->clear(MessageKind::Refused);
        }
        update_enabled();
    });
    connect(controller_.get(), &RunController::run_reset, this, &MainWindow::update_enabled);
    connect(controller_.get(), &RunController::failed, this, [this](const Error& error, bool of_begun_run) {
        show_error(error, of_begun_run ? tr("The run ended early") : tr("Not done"));
    });
    connect(controller_.get(), &RunController::hand_unlogged, this,
            [this](const Error& why) { show_error(why, tr("Hand edits are not logged")); });
    connect(&document_, &Document::hand_edited, this,
            [this] { drop_hand_edits_ = false; });  // there are more
    connect(controller_.get(), &RunController::opened_read_only, this, &MainWindow::say_read_only);
    connect(controller_.get(), &RunController::finished, this, &MainWindow::run_finished);
    connect(controller_.get(), &RunController::notice, this,
            [this](const QString& text) { messages_->post(MessageKind::Info, tr("Note"), text, 15); });
    connect(controller_.get(), &RunController::phase_changed, this,
            [this](const QString& phase) { statusBar()->showMessage(phase, 4000); });
    connect(controller_.get(), &RunController::runs_changed, this, [this] {
        const QString path = QString::fromStdString(controller_->session_path().string());
        const QString file = QFileInfo(path).fileName();
        const auto& read_only = controller_->read_only();
        if (!read_only) messages_->clear_about(kOfSession);
        session_text_->set_text(
            path.isEmpty() ? QString()
            : !read_only   ? tr("session %1").arg(file)
            : read_only->code == ErrorCode::Busy && controller_->writer() > 0
                ? tr("session %1, written by process %2").arg(file).arg(controller_->writer())
                : tr("session %1, read-only").arg(file));
        session_text_->setToolTip(path);
    });
    connect(&jobs_, &JobRunner::broke, this, [this](const QString&, const Error& error, bool told) {
        if (told) return;  // whoever asked for it says so, with what it was
        messages_->post(MessageKind::Error, tr("A job in the background ended early"),
                        tr("%1. What it was to show is not up to date; what was logged is safe.")
                            .arg(QString::fromStdString(error.message())));
    });
    connect(actions_, &ScheduleActions::measuring_changed, this, &MainWindow::update_enabled);
    connect(compare_, &CompareView::menu_requested, this, [this](const QPoint& at) { row_menu_->popup(at); });
    connect(kernels_, &QComboBox::activated, this, [this](int index) {
        if (!document_.is_open()) return;
        const QString wanted = kernels_->itemData(index).toString();
        const QString shown = QString::fromStdString(document_.kernel()->name());
        if (wanted == shown) return;
        // It names what is open: the file may be gone by now, or the answer to a question be no.
        kernels_->setCurrentIndex(kernels_->findData(shown));
        open_kernel_here(wanted);
    });
    connect(find_, &QLineEdit::returnPressed, this, [this] {
        if (!compare_->find(find_->text(), 1))
            statusBar()->showMessage(tr("\"%1\" is not in this listing").arg(find_->text()), 4000);
    });
}

void MainWindow::update_title() {
    Windows::instance().tell_changed();
    if (!document_.is_open()) return setWindowTitle(QStringLiteral("CubinLab"));
    const KernelInfo& info = document_.kernel()->info();
    const QString title =
        QStringLiteral("%1 - %2 (%3, %4 registers) - CubinLab")
            .arg(QFileInfo(QString::fromStdString(document_.path().string())).fileName(),
                 called(QString::fromStdString(info.name)),
                 QString::fromStdString(document_.kernel()->arch().name()), QString::number(info.registers));
    // "[*]" in a title is Qt's place of a changed file's mark; twice, it is the text.
    setWindowTitle(QString(title).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.set_layout(saveGeometry(), layout_to_keep());
    settings_.set_last_request(agent_bar_->request());
    if (source_edit().unsaved() && !drop_source_text_) {
        const auto close_anyway = [this] {
            drop_source_text_ = true;
            close();
        };
        messages_->post(MessageKind::Warning, tr("A source text is not saved"),
                        tr("Its changes are only in this window."), 0,
                        {{tr("Close without saving"), close_anyway}});
        event->ignore();
        return;
    }
    if (asks_before_leaving([this] { close(); })) return event->ignore();
    if (shell_->closing_waits()) return event->ignore();
    QMainWindow::closeEvent(event);
}

// ---- what is said ----

// With what helps: an error without a way on is half a message. `title`: what was not done, "Not opened".
void MainWindow::show_error(const Error& error, const QString& title, const QString& about,
                            std::vector<MessageAction> ways) {
    statusBar()->clearMessage();
    Message message{MessageKind::Error, title, QString::fromStdString(error.message()),
                    std::move(ways),    0,     about};
    const auto settings = [this](const QString& text, const char* page) {
        return MessageAction{text, [this, page] { shell_->show_settings(QString::fromLatin1(page)); }};
    };
    if (!document_.is_open()) message.actions.push_back({tr("Open another..."), [this] { ask_open(); }});
    // What cannot be measured can be modelled.
    if (document_.can_edit() && (error.code == ErrorCode::NoGpu || error.where.rfind("workload", 0) == 0))
        message.actions.push_back({tr("Run on the model"), [this] {
                                       RunRequest request = agent_bar_->request();
                                       request.evaluator = QStringLiteral("model");
                                       start_agent(request);
                                   }});
    const auto& read_only = controller_->read_only();
    if (document_.is_open() && read_only && error.where == read_only->where) {
        message.actions.push_back(way_to_log(*read_only));
        return messages_->post(message);
    }
    switch (error.code) {
        case ErrorCode::NoGpu:
            message.title = tr("No GPU for this");
            message.actions.push_back(settings(tr("GPU settings..."), "gpu"));
            break;
        case ErrorCode::Worker:
            message.title = tr("The GPU's worker failed");
            message.actions.push_back(settings(tr("GPU settings..."), "gpu"));
            break;
        case ErrorCode::Missing:
            message.actions.push_back(settings(tr("Tools and how to get them..."), "tools"));
            break;
        case ErrorCode::Io:
            if (document_.is_open()) message.actions.push_back(settings(tr("Where sessions go..."), "files"));
            break;
        default:
            break;
    }
    messages_->post(message);
}

// What is written by another process can be copied when that is over, and written then.
MessageAction MainWindow::way_to_log(const Error& read_only) {
    if (read_only.code == ErrorCode::Busy)
        return {tr("Read again"), [this, session = QString::fromStdString(
                                             controller_->session_path().string())] { open_path(session); }};
    return {tr("Go on in a copy"), [this] { controller_->go_on_in_copy(); }};
}

void MainWindow::say_read_only(const Error& why) {
    if (why.code == ErrorCode::Busy)
        return messages_->post(
            {MessageKind::Info,
             controller_->writer() > 0 ? tr("Process %1 writes this session").arg(controller_->writer())
                                       : tr("Another process writes this session"),
             tr("What is shown is its log up to now; until that is over nothing else is logged in it."),
             {way_to_log(why)},
             0,
             kOfSession,
             true});
    const QString reason = why.code == ErrorCode::Io ? tr("You may not write to its file or its folder")
                                                     : QString::fromStdString(why.what);
    messages_->post(
        {MessageKind::Info,
         tr("This session is read-only"),
         tr("%1. Everything in it can be looked at, replayed, reported and exported; to log runs, "
            "hand edits and measurements, go on in a copy.")
             .arg(reason),
         {way_to_log(why)},
         0,
         kOfSession,
         true});
}

void MainWindow::show_help(const QString& page) {
    if (help_ == nullptr) help_ = new HelpWindow(commands_, this);
    help_->show_page(page);
}

void MainWindow::show_refusal(const Refusal& refusal) {
    Message message{MessageKind::Refused, tr("Refused: %1").arg(refusal.attempt), refusal.reason, {}, 0};
    if (!refusal.hazards.empty()) {
        const Hazard& hazard = refusal.hazards.front();
        message.text = QStringLiteral("%1 (%2)").arg(refusal.reason, QLatin1String(to_string(hazard.rule)));
        const InstrId other = hazard.earlier == refusal.instr ? hazard.later : hazard.earlier;
        if (other != kNone)
            message.actions.push_back(
                {tr("Go to %1").arg(document_.name_of(other, *document_.head(Head::Hand))),
                 [this, other] { selection_.select(other); }});
    }
    messages_->post(message);
}

void MainWindow::run_finished(const RunSummary& summary) {
    const bool modelled = controller_->evaluator() && controller_->evaluator()->kind == EvaluatorKind::Model;
    const QString ended = QString::fromStdString(summary.end);
    const std::uint64_t before = controller_->steps_before();
    QString text = (summary.steps == 1 ? tr("%1 step in %2 (%3).") : tr("%1 steps in %2 (%3)."))
                       .arg(grouped(summary.steps), duration_text(summary.seconds), ended);
    if (before != 0)
        text = tr("%1 more steps in %2 (%3), %4 in all.")
                   .arg(grouped(summary.steps), duration_text(summary.seconds), ended,
                        grouped(before + summary.steps));
    if (summary.best_step != 0)
        text += tr(" Best: step %1, %2%3.")
                    .arg(summary.best_step)
                    .arg(speedup_text(summary.best_log_speedup),
                         modelled ? tr(" in modelled cycles, unmeasured") : QString());
    else if (before + summary.steps == 0)
        text += tr(" Nothing was tried.");
    else if (!nothing_ran(summary))
        text += tr(" Nothing beat the start.");
    Message message{MessageKind::Done, tr("The run is over"), text, {}, 0, kOfRun};
    if (nothing_ran(summary)) {
        message.kind = MessageKind::Warning;
        message.text += tr(" None of these candidates ran well; the log says what became of each.");
        message.actions.push_back(
            {tr("Show the log"), [this] { bring_forward(dock(QStringLiteral("dock_mutations"))); }});
    }
    if (ended.startsWith(QLatin1String("evaluator lost"))) {
        message.kind = MessageKind::Error;
        message.title = tr("The run ended early");
        message.actions.push_back(
            {tr("GPU settings..."), [this] { shell_->show_settings(QStringLiteral("gpu")); }});
    }
    if (summary.best_step != 0 && !modelled && message.kind == MessageKind::Done &&
        !actions_->will_measure_again(summary)) {
        message.text += tr(" That is what the process that searched saw.");
        message.actions.push_back({tr("Measure again"), [this] { actions_->measure(Head::Best); }});
    }
    if (summary.best_step != 0) {
        for (MessageAction& action : actions_->of_best())
            message.actions.push_back(std::move(action));
    }
    messages_->post(message);
    actions_->measure_again(summary);
}

void MainWindow::update_selection_text() {
    const InstrId id = selection_.instr();
    if (!document_.is_open() || id == kNone) return selection_text_->set_text({});
    const Schedule& right = *document_.right();
    const BlockId block = document_.kernel()->block_of(id);
    QString text = tr("%1  \u00b7  block %2").arg(document_.name_of(id, right)).arg(block);
    if (const auto depth = document_.kernel()->flow().blocks[block].loop_depth; depth > 0)
        text += tr(", loop depth %1").arg(depth);
    const auto by =
        static_cast<qint64>(right.position_of(id)) - static_cast<qint64>(document_.left()->position_of(id));
    if (by != 0) text += tr("  \u00b7  %1 %2").arg(by < 0 ? tr("up by") : tr("down by")).arg(std::abs(by));
    selection_text_->set_texts({text, document_.name_of(id, right)});
}

void MainWindow::start_agent(const RunRequest& request) {
    for (const MessageKind before : {MessageKind::Done, MessageKind::Error})
        messages_->clear(before);
    agent_bar_->set_request(request);
    // What the engineer edits stays in view; otherwise the window follows the agent.
    if (document_.is_open() && !document_.tree().can_undo()) document_.set_follow_live(true);
    RunRequest wanted = request;
    if (document_.is_open()) wanted.locked = hand_->closed_to_agents();
    if (document_.is_open() && wanted.locked.size() == document_.kernel()->size()) {
        messages_->post(MessageKind::Warning, tr("Nothing is open to the agent"),
                        tr("Every instruction is locked or outside of its scope."));
        return;
    }
    if (!wanted.locked.empty())
        messages_->post(MessageKind::Info, tr("The agent is limited"),
                        tr("It may move and edit %1 of %2 instructions (locks and scope, menu Agent).")
                            .arg(document_.kernel()->size() - wanted.locked.size())
                            .arg(document_.kernel()->size()),
                        12);
    controller_->start(wanted);
}

// ---- editing ----

bool MainWindow::edit_target(InstrId* id) {
    *id = selection_.instr();
    if (!document_.is_open() || *id == kNone) {
        statusBar()->showMessage(tr("Select an instruction first"), 4000);
        return false;
    }
    const Head shown = document_.right_head();
    const SchedulePtr hand = document_.head(Head::Hand);
    if (shown == Head::Hand || *document_.right() == *hand) return true;
    const SchedulePtr candidate = document_.right();
    const QString name =
        shown == Head::Viewed ? tr("step %1").arg(document_.viewed_step().step) : title_of(shown);
    messages_->post(
        {MessageKind::Info,
         tr("You are looking at %1").arg(name),
         tr("Edits go to the hand schedule; nothing was changed."),
         {{tr("Show the hand schedule"), [this] { document_.show_right(Head::Hand); }},
          {tr("Start the hand schedule from here"),
           [this, candidate, name] { document_.reset_hand_to(candidate, tr("Start from %1").arg(name)); }}},
         0,
         kOfShown});
    return false;
}

void MainWindow::change_stall(int by) {
    InstrId id = kNone;
    if (!edit_target(&id)) return;
    ControlCode control = document_.head(Head::Hand)->control(id);
    const int stall = control.stall + by;
    if (stall < 0 || stall > 15) return statusBar()->showMessage(tr("A stall count is 0 to 15 cycles"), 4000);
    control.stall = static_cast<std::uint8_t>(stall);
    document_.set_control(id, control);
}

void MainWindow::toggle_yield() {
    InstrId id = kNone;
    if (!edit_target(&id)) return;
    ControlCode control = document_.head(Head::Hand)->control(id);
    control.yield = !control.yield;
    document_.set_control(id, control);
}

void MainWindow::ask_offset() {
    if (!document_.is_open()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go to offset"));
    dialog->setLabelText(tr("Offset in the right listing, hexadecimal bytes:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        bool ok = false;
        const uint offset = text.trimmed().toUInt(&ok, 16);
        if (ok && offset / kWordBytes < document_.right()->size())
            selection_.select(document_.right()->at(offset / kWordBytes));
        else
            statusBar()->showMessage(tr("There is no instruction at \"%1\"").arg(text), 4000);
    });
    dialog->open();
}

bool MainWindow::set_dock_layout(const QByteArray& state) {
    if (!docks_shown_) {
        docks_state_ = state;
        return true;
    }
    const bool fits = restoreState(state);
    if (fits && state == default_layout_) size_docks();
    update_dock_titles();
    return fits;
}

void MainWindow::reset_layout() {
    settings_.forget_layout();
    docks_state_ = default_layout_;
    if (!docks_shown_) return;
    restoreState(default_layout_);
    size_docks();
    update_dock_titles();
}

}  // namespace cubinlab::ui
