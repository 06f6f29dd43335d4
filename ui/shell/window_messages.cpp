// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: what the message bar says, and the actions that a message offers.
#include <QDesktopServices>
#include <QDockWidget>
#include <QRegularExpression>
#include <QStatusBar>
#include <QUrl>
#include <utility>

#include "core/result/all_candidates_failed.h"
#include "ui/base/format.h"
#include "ui/base/message_bar.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"
#include "ui/shell/help_window.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/schedule_transfer.h"

namespace cubinlab::ui {

void MainWindow::say_not_opened(const Error& error, const OpenRequest& request) {
    drop_hand_edits_ = false;
    const bool of_cubin = !request.folder.empty() && error.where.starts_with(request.folder.string());
    if (!request.folder.empty() && !of_cubin) return say_not_compiled(error, request);
    Error told = error;
    if (of_cubin) told.where = request.path.string();  // the user knows the source, not the cubin
    show_error(told, tr("Cannot open"), kOfOpening);
}

// The compiler's message keeps its lines, and its place is the source.
void MainWindow::say_not_compiled(Error error, const OpenRequest& request) {
    const QString path = QString::fromStdString(request.path.string());
    std::vector<MessageAction> ways;
    if (error.code == ErrorCode::BadInput && error.where == request.path.string()) {
        if (const std::size_t begin = error.what.find(": "); begin != std::string::npos)
            error.what[begin + 1] = '\n';
        // The line that marks a column does not align in a proportional font.
        static const QRegularExpression mark(QStringLiteral("\\n[ \\t]*\\^[ \\t~]*(?=\\n|$)"));
        error.what = QString::fromStdString(error.what).remove(mark).toStdString();
        ways = {{tr("Recompile"), [this, path] { open_path(path); }},
                {tr("Open source"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }}};
    }
    show_error(error, tr("Not compiled"), {}, std::move(ways));
}

// Adds actions that help. `title`: the failed action, "Cannot open".
void MainWindow::show_error(const Error& error, const QString& title, const QString& about,
                            std::vector<MessageAction> ways) {
    statusBar()->clearMessage();
    Message message{MessageKind::Error, title, QString::fromStdString(error.message()),
                    std::move(ways),    0,     about};
    const auto settings = [this](const QString& text, const char* page) {
        return MessageAction{text, [this, page] { show_settings(QString::fromLatin1(page)); }};
    };
    if (!document_.is_open()) message.actions.push_back({tr("Open another..."), [this] { ask_open(); }});
    // Without a GPU, the model can evaluate.
    if (document_.hand().can_edit() &&
        (error.code == ErrorCode::NoGpu || error.where.rfind("workload", 0) == 0))
        message.actions.push_back({tr("Run on the model"), [this] {
                                       RunRequest request = agent_bar_->request();
                                       request.evaluator = EvaluatorPolicy::Model;
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
            message.actions.push_back(settings(tr("Tool setup..."), "tools"));
            break;
        case ErrorCode::Io:
            if (document_.is_open()) message.actions.push_back(settings(tr("Session folder..."), "files"));
            break;
        default:
            break;
    }
    messages_->post(message);
}

// A session of another process can be copied and written after that process has finished.
MessageAction MainWindow::way_to_log(const Error& read_only) {
    if (read_only.code == ErrorCode::Busy)
        return {tr("Reload"), [this, session = QString::fromStdString(controller_->session_path().string())] {
                    open_path(session);
                }};
    return {tr("Continue in a copy"), [this] { controller_->go_on_in_copy(); }};
}

void MainWindow::say_read_only(const Error& why) {
    if (why.code == ErrorCode::Busy)
        return messages_->post(
            {MessageKind::Info,
             controller_->writer() > 0 ? tr("Process %1 is writing this session").arg(controller_->writer())
                                       : tr("Another process is writing this session"),
             tr("The window shows its current log. It logs nothing until that process has finished."),
             {way_to_log(why)},
             0,
             kOfSession,
             true});
    const QString reason = why.code == ErrorCode::Io ? tr("Its file or folder is not writable")
                                                     : QString::fromStdString(why.what);
    messages_->post({MessageKind::Info,
                     tr("This session is read-only"),
                     tr("%1. You can view, replay, report and export everything in it. To log runs, hand "
                        "edits and measurements, continue in a copy.")
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
    Message message{MessageKind::Refused, tr("Rejected: %1").arg(refusal.attempt), refusal.reason, {}, 0};
    if (!refusal.hazards.empty()) {
        const Hazard& hazard = refusal.hazards.front();
        message.text = QStringLiteral("%1 (%2)").arg(refusal.reason, QLatin1String(to_string(hazard.rule)));
        const InstrId other = hazard.earlier == refusal.instr ? hazard.later : hazard.earlier;
        if (other != kNone)
            message.actions.push_back(
                {tr("Go to %1").arg(document_.name_of(other, *document_.pair().schedule(ScheduleSlot::Hand))),
                 [this, other] { selection_.select(other); }});
    }
    messages_->post(message);
}

void MainWindow::run_finished(const RunSummary& summary) {
    const bool modelled = controller_->evaluator() && controller_->evaluator()->kind == EvaluatorKind::Model;
    const QString ended = QString::fromStdString(summary.end_text());
    const std::uint64_t before = controller_->steps_before();
    // The Agent view says how long the steps took; the run ends a little later.
    const RunProgress& p = controller_->progress();
    const QString took = duration_text(p.part_steps == summary.steps ? p.part_seconds : summary.seconds);
    QString text = (summary.steps == 1 ? tr("%1 step in %2 (%3).") : tr("%1 steps in %2 (%3)."))
                       .arg(grouped(summary.steps), took, ended);
    if (before != 0)
        text = tr("%1 more steps in %2 (%3), %4 in all.")
                   .arg(grouped(summary.steps), took, ended,
                        grouped(before + summary.steps));
    if (summary.best_step != 0)
        text += tr(" Best: step %1, %2%3.")
                    .arg(summary.best_step)
                    .arg(factor_text(summary.best.log),
                         modelled ? tr(" in modelled cycles, unmeasured") : QString());
    else if (before + summary.steps == 0)
        text += tr(" No candidate was evaluated.");
    else if (!all_candidates_failed(summary))
        text += tr(" No improvement.");
    Message message{MessageKind::Done, tr("Run finished"), text, {}, 0, kOfRun};
    if (all_candidates_failed(summary)) {
        message.kind = MessageKind::Warning;
        message.text += tr(" All candidates failed; see the log.");
        message.actions.push_back(
            {tr("Show log"), [this] { bring_forward(dock(QStringLiteral("dock_mutations"))); }});
    }
    if (summary.end == RunEnd::EvaluatorLost) {
        message.kind = MessageKind::Error;
        message.title = tr("The run ended early");
        message.actions.push_back({tr("GPU settings..."), [this] { show_settings(QStringLiteral("gpu")); }});
    }
    if (summary.best_step != 0 && !modelled && message.kind == MessageKind::Done &&
        !actions_->will_measure_again(summary)) {
        message.text += tr(" Measured by the search process only.");
        message.actions.push_back({tr("Re-measure"), [this] { actions_->measure(ScheduleSlot::Best); }});
    }
    if (summary.best_step != 0) {
        for (MessageAction& action : actions_->of_best())
            message.actions.push_back(std::move(action));
        message.actions.push_back({tr("Find essential edits"),
                                   [this] { commands_[QStringLiteral("replay.minimise")]->trigger(); }});
    }
    messages_->post(message);
    actions_->measure_again(summary);
}

void MainWindow::report_closed_kernel() {
    const ClosedKernel closed = std::exchange(closed_, {});
    if (closed.empty()) return;
    closed_session_ = closed.session;
    Message message = closed_message(closed, QString::fromStdString(controller_->session_path().string()),
                                     [this, session = closed.session] { open_path(session); });
    message.about = kOfClosed;
    messages_->post(message);
}

void MainWindow::say_other_code() {
    const auto open = [this] { open_kernel_here(QString::fromStdString(document_.kernel()->name())); };
    std::vector<MessageAction> ways{{tr("Reload file"), open}};
    if (const auto what = transfer_->what())
        ways.push_back({tr("Reload file, transfer: %1").arg(title_of(*what)),
                        [this, what = *what, open] { transfer_->begin(what, open); }});
    messages_->post(
        {MessageKind::Info,
         tr("%1 has changed on disk").arg(QString::fromStdString(document_.path().filename().string())),
         tr("It contains different code for %1. This window still shows, tunes and exports the old code.")
             .arg(called(QString::fromStdString(document_.kernel()->name()))),
         std::move(ways), 0, kOfFile, true});
}

// A file that fails the file check does not come from a compiler: report it at once.
void MainWindow::say_what_check_found() {
    const auto report = document_.file_check().report;
    if (!report || report->hazards.empty()) return;
    const Legality& found = report->hazards;
    messages_->post(
        MessageKind::Warning, tr("File check: %n finding(s)", "", static_cast<int>(found.size())),
        tr("The first: %1").arg(QString::fromStdString(found.front().explanation)), 0,
        {{tr("Show problems"), [this] { bring_forward(dock(QStringLiteral("dock_problems"))); }}});
}

// Instead of "view only": the listing shows encoded words only.
void MainWindow::say_words_only() {
    messages_->post(
        MessageKind::Warning, tr("View only"),
        tr("%1. Only nvdisasm can disassemble them: %2.")
            .arg(document_.hand().why_not_editable(), QString::fromStdString(document_.listing().note)),
        0, {{tr("Tool setup..."), [this] { show_settings(QStringLiteral("tools")); }}});
}

}  // namespace cubinlab::ui
