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
#include "ui/shell/carry_over.h"
#include "ui/shell/help_window.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"

namespace cubinlab::ui {

void MainWindow::say_not_opened(const Error& error, const OpenRequest& request) {
    drop_hand_edits_ = false;
    const bool of_cubin = !request.folder.empty() && error.where.starts_with(request.folder.string());
    if (!request.folder.empty() && !of_cubin) return say_not_compiled(error, request);
    Error told = error;
    if (of_cubin) told.where = request.path.string();  // the user knows the source, not the cubin
    show_error(told, tr("Not opened"), kOfOpening);
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
        ways = {{tr("Compile again"), [this, path] { open_path(path); }},
                {tr("Open the source"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }}};
    }
    show_error(error, tr("Not compiled"), {}, std::move(ways));
}

// With what helps: an error without a way on is half a message. `title`: what was not done, "Not opened".
void MainWindow::show_error(const Error& error, const QString& title, const QString& about,
                            std::vector<MessageAction> ways) {
    statusBar()->clearMessage();
    Message message{MessageKind::Error, title, QString::fromStdString(error.message()),
                    std::move(ways),    0,     about};
    const auto settings = [this](const QString& text, const char* page) {
        return MessageAction{text, [this, page] { show_settings(QString::fromLatin1(page)); }};
    };
    if (!document_.is_open()) message.actions.push_back({tr("Open another..."), [this] { ask_open(); }});
    // What cannot be measured can be modelled.
    if (document_.hand().can_edit() &&
        (error.code == ErrorCode::NoGpu || error.where.rfind("workload", 0) == 0))
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
                {tr("Go to %1").arg(document_.name_of(other, *document_.pair().head(Head::Hand))),
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
        message.actions.push_back({tr("GPU settings..."), [this] { show_settings(QStringLiteral("gpu")); }});
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

void MainWindow::say_what_was_left() {
    const LeftBehind left = std::exchange(left_, {});
    if (left.empty()) return;
    left_session_ = left.session;
    Message message = left_message(left, QString::fromStdString(controller_->session_path().string()),
                                   [this, session = left.session] { open_path(session); });
    message.about = kOfLeft;
    messages_->post(message);
}

void MainWindow::say_other_code() {
    const auto open = [this] { open_kernel_here(QString::fromStdString(document_.kernel()->name())); };
    std::vector<MessageAction> ways{{tr("Open what is there now"), open}};
    if (const auto what = carry_over_->what())
        ways.push_back({tr("Open it, carry over: %1").arg(title_of(*what)),
                        [this, what = *what, open] { carry_over_->begin(what, open); }});
    messages_->post(
        {MessageKind::Info,
         tr("%1 has changed on disk").arg(QString::fromStdString(document_.path().filename().string())),
         tr("It holds other code of %1 now. What is shown, tuned and exported here is the code of before.")
             .arg(called(QString::fromStdString(document_.kernel()->name()))),
         std::move(ways), 0, kOfFile, true});
}

// A file that is not legal as it stands is not what a compiler wrote: said at once, not found by looking.
void MainWindow::say_what_check_found() {
    const auto report = document_.file_check().report;
    if (!report || report->hazards.empty()) return;
    const Legality& found = report->hazards;
    messages_->post(
        MessageKind::Warning,
        tr("%n finding(s) in this file as it stands", "", static_cast<int>(found.size())),
        tr("The first: %1").arg(QString::fromStdString(found.front().explanation)), 0,
        {{tr("Show problems"), [this] { bring_forward(dock(QStringLiteral("dock_problems"))); }}});
}

// In place of "view only": what is shown of it are its words.
void MainWindow::say_words_only() {
    messages_->post(
        MessageKind::Warning, tr("View only"),
        tr("%1. Their instructions are written by nvdisasm alone: %2.")
            .arg(document_.hand().why_not_editable(), QString::fromStdString(document_.listing().note)),
        0, {{tr("Tools and how to get them..."), [this] { show_settings(QStringLiteral("tools")); }}});
}

}  // namespace cubinlab::ui
