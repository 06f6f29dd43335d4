// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/schedule_actions.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <algorithm>

#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/step_measurement.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shape_figures.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/measure.h"
#include "ui/base/file_dialog.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/base/settings.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"
#include "ui/shell/comparison_text.h"
#include "ui/shell/exports.h"

namespace cubinlab::ui {
namespace {

constexpr int kMeasureLoads = 12;  // fresh module loads of each side
const auto kTag = QStringLiteral("measure");
// Message::about of a failed measurement, until the next one starts.
constexpr QLatin1String kOfMeasured{"measured"};

QString file_suffix(ScheduleSlot head, StepRef viewed) {
    switch (head) {
        case ScheduleSlot::Original:
            return QStringLiteral("original");
        case ScheduleSlot::Hand:
            return QStringLiteral("hand");
        case ScheduleSlot::Best:
            return QStringLiteral("best");
        case ScheduleSlot::Viewed:
            return QStringLiteral("step%1").arg(viewed.step);
        case ScheduleSlot::Other:
            return QStringLiteral("other");
        case ScheduleSlot::Minimal:
            return QStringLiteral("minimal");
    }
    return {};
}

// A session may have runs of several workloads; the window has the newest.
Status check_launches(const std::shared_ptr<SessionHub>& session, StepRef logged, const Workload& now) {
    if (!session || logged.run == 0) return {};
    const auto json = TRY(session->workload_json(logged.run));
    const auto own = Workload::parse(json);  // fails for an empty text
    if (!own || launches_in_words(*own) == launches_in_words(now)) return {};
    return fail(
        ErrorCode::BadUse,
        fmt::format("run {} is of the launches {}, the workload open here has {}; `cubinlab measure {} "
                    "--run {}` measures it with its own",
                    logged.run, launches_in_words(*own), launches_in_words(now), session->path().string(),
                    logged.run));
}

// Follows the number of loads or processes.
QString for_each_shape(const Workload& workload) {
    if (workload.shapes.empty()) return {};
    return QLatin1Char(' ') +
           ScheduleActions::tr("In each of the workload's %1 shapes.").arg(workload.shapes.size() + 1);
}

}  // namespace

ScheduleActions::ScheduleActions(Document& document, RunController& controller, JobRunner& jobs,
                                 MessageBar& messages, Settings& settings, QWidget* window)
    : QObject(window),
      document_(document),
      controller_(controller),
      jobs_(jobs),
      messages_(messages),
      settings_(settings),
      window_(window) {}

ScheduleActions::~ScheduleActions() = default;

void ScheduleActions::ask_and_export(ScheduleSlot head) {
    if (!document_.is_open() || !document_.pair().head(head)) return;
    const QString stem = QFileInfo(QString::fromStdString(document_.path().string())).completeBaseName();
    const QString suffix = file_suffix(head, document_.pair().viewed_step());
    ask_for_file(window_,
                 {.what = Ask::NewFile,
                  .title = tr("Export %1").arg(title_of(head)),
                  .folder = settings_.last_folder(),
                  .filters = tr("CUDA cubins (*.cubin);;All files (*)"),
                  .name = QStringLiteral("%1.%2.cubin").arg(stem, suffix),
                  .suffix = QStringLiteral("cubin")},
                 [this, head](const QString& path) {
                     settings_.last_folder.set(QFileInfo(path).absolutePath());
                     export_to(head, path, Replace::Confirmed);
                 });
}

// The step of a head's schedule in the session; run 0: none.
void ScheduleActions::find_logged(ScheduleSlot head, std::function<void(StepRef)> done) {
    if (head == ScheduleSlot::Best)
        done(document_.pair().best_step());
    else if (head == ScheduleSlot::Viewed)
        done(document_.pair().viewed_step());
    else if (head == ScheduleSlot::Hand &&
             *document_.pair().head(ScheduleSlot::Hand) != *document_.pair().head(ScheduleSlot::Original))
        controller_.find_hand_step(document_.pair().head(ScheduleSlot::Hand)->hash(), std::move(done));
    else
        done({});
}

void ScheduleActions::export_to(ScheduleSlot head, const QString& path, Replace replace) {
    const SchedulePtr schedule = document_.pair().head(head);
    if (!schedule) return;
    const OutputFile file = output_file(path, replace, schedule->kernel()->cubin().bytes().size() + 4096);
    find_logged(head, [this, schedule, file](StepRef step) {
        if (step.run == 0)
            write(schedule, file, Claim());
        else
            export_logged(schedule, file, step);
    });
}

// The stamp has the step's own result, or that of later measurements.
void ScheduleActions::export_logged(const SchedulePtr& schedule, const OutputFile& file, StepRef step) {
    controller_.fetch_claim(step, [this, schedule, file](Result<Claim> claim) {
        if (claim)
            write(schedule, file, *claim);
        else if (claim.error().code == ErrorCode::Corrupt || claim.error().code == ErrorCode::Refused)
            not_exported(claim.error());
        else  // a schedule whose log cannot be read is still exported, as unmeasured
            write(schedule, file, Claim());
    });
}

void ScheduleActions::not_exported(const Error& error) {
    const QString why = QString::fromStdString(error.message());
    messages_.post({MessageKind::Error, tr("Not exported"), why, {}, 0, kOfExport});
    Q_EMIT export_failed(why);
}

void ScheduleActions::write(SchedulePtr schedule, const OutputFile& file, const Claim& claim) {
    jobs_.run<Result<ExportReport>>(
        QStringLiteral("export"),
        [schedule, file, claim](std::stop_token) -> Result<ExportReport> {
            TRY(check_cubin_output(file, schedule->kernel()->hash()));
            return export_cubin(*schedule, file.path, claim);
        },
        [this, path = QString::fromStdString(file.path.string())](Result<ExportReport> report) {
            if (!report) return not_exported(report.error());
            messages_.clear_about(kOfExport);
            const QString stamp = QString::fromStdString(report->stamp);
            messages_.post(
                MessageKind::Done, tr("Exported %1").arg(QFileInfo(path).fileName()),
                tr("%1 instructions moved, %2 control codes changed; read back and verified. Stamp: %3")
                    .arg(report->moved)
                    .arg(report->control_changed)
                    .arg(stamp),
                20);
            Q_EMIT exported(path, stamp);
        },
        JobRunner::Scope::Window);
}

void ScheduleActions::measure(ScheduleSlot head) {
    const SchedulePtr candidate = document_.pair().head(head);
    if (!candidate || measuring_) return;
    const QString name = title_of(head);
    if (*candidate == *document_.pair().head(ScheduleSlot::Original)) {
        messages_.post(MessageKind::Info, tr("Nothing to measure"),
                       tr("%1 is the original schedule.").arg(name), 8);
        return;
    }
    if (!controller_.gpu_taken().isEmpty()) {
        messages_.post(MessageKind::Info, tr("GPU busy"),
                       tr("%1 is using the GPU. Measure when it has finished.").arg(controller_.gpu_taken()),
                       8);
        return;
    }
    const auto& gpu = controller_.gpu();
    if (!gpu) return messages_.post(MessageKind::Info, tr("GPU busy"), tr("Still looking for a GPU."), 5);
    if (!gpu->present)
        compare_by_model(candidate, name, tr("no usable GPU: %1").arg(QString::fromStdString(gpu->reason)));
    else if (!cannot_run(gpu->sm, document_.kernel()->arch()).empty())
        compare_by_model(candidate, name,
                         tr("%1 cannot run %2 code")
                             .arg(QString::fromStdString(gpu->device),
                                  QString::fromStdString(document_.kernel()->arch().name())));
    else if (!document_.workload())
        compare_by_model(candidate, name,
                         document_.workload_problem().isEmpty()
                             ? tr("there is no workload file next to the cubin")
                             : document_.workload_problem());
    else
        measure_on_gpu(candidate, name, head);
}

void ScheduleActions::stop_measuring() {
    jobs_.cancel(kTag);
    if (measuring_) release_gpu();
}

void ScheduleActions::take_gpu(const QString& title, const QString& text) {
    measuring_ = true;
    controller_.set_gpu_taken(tr("A measurement"));
    Q_EMIT measuring_changed();
    messages_.clear_about(kOfMeasured);
    messages_.post({MessageKind::Info,
                    title,
                    text,
                    {{tr("Stop"), [this] { stop_measuring(); }}},
                    0,
                    kOfMeasuring,
                    true});
}

void ScheduleActions::release_gpu() {
    measuring_ = false;
    controller_.set_gpu_taken({});
    messages_.clear_about(kOfMeasuring);
    Q_EMIT measuring_changed();
}

bool ScheduleActions::outlives_kernel() const {
    return measuring_ && jobs_.busy(kTag);
}

bool ScheduleActions::busy() const {
    return measuring_ || jobs_.busy(kTag);
}

void ScheduleActions::measure_on_gpu(const SchedulePtr& candidate, const QString& name, ScheduleSlot head) {
    take_gpu(tr("Measuring %1").arg(name),
             tr("against the original, %1 fresh loads of each, in fresh processes.").arg(kMeasureLoads) +
                 for_each_shape(*document_.workload()));
    find_logged(head, [this, candidate, name](StepRef logged) {
        if (measuring_) start_measuring(candidate, name, logged);  // else stopped meanwhile
    });
}

void ScheduleActions::start_measuring(const SchedulePtr& candidate, const QString& name, StepRef logged) {
    if (candidate->kernel() != document_.kernel() || !document_.workload()) {
        stop_measuring();  // another kernel was opened meanwhile
        return;
    }
    const std::shared_ptr<SessionHub> session = controller_.session();
    jobs_.run<Result<Measured>>(
        kTag,
        [candidate, workload = *document_.workload(), settings = controller_.gpu_settings(), session,
         logged](std::stop_token stop) -> Result<Measured> {
            TRY(check_launches(session, logged, workload));
            return measure_in_one_cache(*candidate, workload, {.gpu = settings, .loads = kMeasureLoads},
                                        stop);
        },
        [this, name, logged, session, candidate](Result<Measured> result) {
            release_gpu();
            if (!result) return not_measured(result.error());
            controller_.publish(candidate->hash(), figure_of(result->comparison),
                                result->record(logged.run, logged.step, "measure"), session);
            measured(result->comparison, name, candidate);
        },
        JobRunner::Scope::Window, JobRunner::Lane::Gpu);
}

bool ScheduleActions::will_measure_again(const RunSummary& summary) const {
    const auto& evaluator = controller_.evaluator();
    return settings_.measure_again() && !measuring_ && evaluator &&
           document_.pair().head(ScheduleSlot::Best) && needs_final_measurement(summary, *evaluator) &&
           document_.workload();
}

void ScheduleActions::measure_again(const RunSummary& summary) {
    if (!will_measure_again(summary)) return;
    const SchedulePtr best = document_.pair().head(ScheduleSlot::Best);
    take_gpu(tr("Re-measuring the best"),
             tr("against the original, in %1 fresh processes.").arg(kFinalProcesses) +
                 for_each_shape(*document_.workload()));
    find_logged(ScheduleSlot::Best, [this, best, cache = cache_of(*controller_.evaluator())](StepRef logged) {
        if (measuring_) start_again(best, logged, cache);  // else stopped meanwhile
    });
}

// `cache`: the cache state of the run, not the current setting.
void ScheduleActions::start_again(const SchedulePtr& best, StepRef logged, std::optional<Cache> cache) {
    if (best->kernel() != document_.kernel() || !document_.workload())
        return stop_measuring();  // another kernel was opened meanwhile
    GpuSettings settings = controller_.gpu_settings();
    settings.cache = cache.value_or(Cache::Hot);
    jobs_.run<Result<std::vector<Measured>>>(
        kTag,
        [best, workload = *document_.workload(), settings](std::stop_token stop) {
            return final_measurement(*best, workload, settings, kFinalProcesses, stop);
        },
        [this, best, logged, session = controller_.session()](Result<std::vector<Measured>> again) {
            release_gpu();
            if (!again) return not_measured(again.error());
            for (const Measured& a : *again)
                controller_.publish(best->hash(), figure_of(a.comparison),
                                    a.record(logged.run, logged.step, "again"), session);
            measured_again(best, *again);
        },
        JobRunner::Scope::Window, JobRunner::Lane::Gpu);
}

// In the place of what was said when the run ended, with what could be done from there.
void ScheduleActions::measured_again(const SchedulePtr& best, const std::vector<Measured>& again) {
    MessageKind kind = MessageKind::Info;  // of two caches the one that says more, bad news last
    QStringList texts;
    for (const Measured& a : again) {
        kind = std::max(kind, kind_of(a.comparison));
        texts << (again.size() > 1 ? cache_text(a.comparison) : comparison_text(a.comparison));
    }
    const bool all_sound = kind != MessageKind::Error;
    const bool here = best->kernel() == document_.kernel();
    const SchedulePtr best_now = document_.pair().head(ScheduleSlot::Best);
    if (here && best_now && *best_now == *best)  // else a run on the model has ended meanwhile
        messages_.clear_about(kOfRun);           // its message has another result for the best
    messages_.post({kind,
                    here ? tr("The best of the run in fresh processes")
                         : tr("The best of the run of %1 in fresh processes")
                               .arg(called(QString::fromStdString(best->kernel()->name()))),
                    texts.join(QLatin1Char('\n')),
                    here && all_sound ? of_best() : std::vector<MessageAction>(), 0,
                    all_sound ? QString() : kOfMeasured});
    Q_EMIT compared();
}

std::vector<MessageAction> ScheduleActions::of_best() {
    return {{tr("Show best"), [this] { document_.pair().show_right(ScheduleSlot::Best); },
             not_on_right(document_, ScheduleSlot::Best)},
            {tr("Export..."), [this] { ask_and_export(ScheduleSlot::Best); }}};
}

void ScheduleActions::not_measured(const Error& error) {
    messages_.post({MessageKind::Error,
                    tr("Not measured"),
                    QString::fromStdString(error.message()),
                    {},
                    0,
                    kOfMeasured});
}

void ScheduleActions::measured(const ShapesComparison& comparison, const QString& name,
                               const SchedulePtr& candidate) {
    const bool here = candidate->kernel() == document_.kernel();  // else another one was opened meanwhile
    messages_.post({kind_of(comparison),
                    here ? tr("%1 against the original").arg(name)
                         : tr("%1 of %2 against its original")
                               .arg(name, called(QString::fromStdString(candidate->kernel()->name()))),
                    comparison_text(comparison),
                    {},
                    0,
                    sound(comparison) ? QString() : kOfMeasured});
    Q_EMIT compared();
}

void ScheduleActions::compare_by_model(const SchedulePtr& candidate, const QString& name,
                                       const QString& why) {
    jobs_.run<Result<Outcome>>(
        kTag,
        [candidate, workload = document_.workload()](std::stop_token stop) -> Result<Outcome> {
            auto choice =
                TRY(choose_evaluator(candidate->kernel(), workload, EvaluatorPolicy::Model, {}, stop));
            auto outcomes = TRY(choice.evaluator->evaluate(
                std::span(candidate.get(), 1), Schedule(candidate->kernel()), Effort::Confirm, stop));
            if (outcomes.empty()) return fail(ErrorCode::Worker, "the model gave no figure");
            return outcomes.front();
        },
        [this, name, why, hash = candidate->hash()](Result<Outcome> outcome) {
            if (!outcome) return not_measured(outcome.error());
            document_.hand().note_figure(
                hash, {EvaluatorKind::Model, outcome->kind, outcome->verdict, outcome->speedup, {}});
            messages_.post(MessageKind::Warning, tr("Modelled, unmeasured"),
                           tr("%1: %2 modelled cycles (%3). Not measured: %4.")
                               .arg(name, QString::number(outcome->cost, 'f', 0),
                                    factor_text(outcome->speedup.log), why));
            Q_EMIT compared();
        },
        JobRunner::Scope::Kernel, JobRunner::Lane::Gpu);
}

}  // namespace cubinlab::ui
