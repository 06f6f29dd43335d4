// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/schedule_actions.h"

#include <fmt/format.h>
#include <QFileInfo>
#include <QString>
#include <QStringList>
#include <algorithm>

#include "core/base/enum_names.h"
#include "core/evidence/claim_parts.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/step_measurement.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shape_figures.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/tuning/measure.h"
#include "ui/base/file_dialog.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/base/settings.h"
#include "ui/document/command_rules.h"
#include "ui/document/hand_editor.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_measurements.h"
#include "ui/shell/after_export.h"
#include "ui/shell/exports.h"

namespace cubinlab::ui {
namespace {

constexpr int kMeasureLoads = 12;  // fresh module loads of each side
const auto kTag = QStringLiteral("measure");
// Message::about of a failed measurement, until the next one starts.
constexpr QLatin1String kOfMeasured{"measured"};

QString file_suffix(ScheduleSlot slot, StepRef viewed) {
    if (slot == ScheduleSlot::Viewed) return QStringLiteral("step%1").arg(viewed.step);
    return QLatin1String(
        enum_name<ScheduleSlot::Minimal>({"original", "hand", "best", "step", "other", "minimal"}, slot, ""));
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

QString outputs_text(const ShapesComparison& all) {
    return all.outputs_equal() ? ScheduleActions::tr("bitwise equal") : ScheduleActions::tr("DIFFERENT");
}

QString mean_text(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    const Comparison& first = all.first();
    return ScheduleActions::tr(
               "%1, %2, the mean of %3 shapes on %4; %5 fresh loads of each, outputs %6 on %7 input sets")
        .arg(QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(all.shapes.size()), QString::fromStdString(first.machine.device),
             QString::number(first.details.loads), outputs_text(all),
             QString::number(first.details.input_sets));
}

QString shape_text(const QString& name, const Comparison& shape) {
    const Outcome& o = shape.outcome;
    return ScheduleActions::tr("%1: %2, %3, %4 us against %5 us")
        .arg(name, QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(o.cost, 'f', 3), QString::number(shape.details.cost_original_us, 'f', 3));
}

// As many lines as a message shows beside the mean and what got slower; of more shapes those that gain least, for which
// one looks.
QStringList shape_texts(const ShapesComparison& all) {
    constexpr std::size_t kLines = 4;
    const std::size_t most = all.shapes.size() > kLines ? kLines - 1 : kLines;
    std::vector<std::size_t> order(all.shapes.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    if (order.size() > most)
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return all.shapes[a].outcome.speedup.log < all.shapes[b].outcome.speedup.log;
        });
    QStringList out;
    for (const std::size_t k : order) {
        if (out.size() == static_cast<qsizetype>(most)) break;
        out << shape_text(QString::fromStdString(all.names[k]), all.shapes[k]);
    }
    if (order.size() > most)
        out << ScheduleActions::tr("and %n more shape(s) with at least this gain", "",
                                   static_cast<int>(order.size() - most));
    return out;
}

// The failed shapes and their failures, one per line; then the results of the other shapes.
QString without_mean(const ShapesComparison& all) {
    const bool failed = seen_to_fail(all.outcome.kind);
    QStringList lines{
        ScheduleActions::tr("%1: no figure over all %2 shapes")
            .arg(QLatin1String(failed ? to_string(all.outcome.kind) : to_string(all.outcome.verdict)),
                 QString::number(all.names.size()))};
    for (const bool ran : {false, true})
        for (std::size_t k = 0; k < all.shapes.size(); ++k) {
            const Outcome& o = all.shapes[k].outcome;
            const QString name = QString::fromStdString(all.names[k]);
            if (o.ok() != ran) continue;
            lines << (ran ? shape_text(name, all.shapes[k])
                          : QStringLiteral("%1: %2: %3")
                                .arg(name, QLatin1String(to_string(o.kind)),
                                     QString::fromStdString(o.detail)));
        }
    return lines.join(QLatin1Char('\n'));
}

QStringList mean_texts(const ShapesComparison& all) {
    QStringList lines{mean_text(all)};
    if (const QString slower = slower_text(all.figures(), all.outcome.speedup.log); !slower.isEmpty())
        lines << slower;
    return lines;
}

// For several shapes: the mean, any slower shapes, and one line per shape.
QString comparison_text(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    if (!o.ok() && all.several()) return without_mean(all);
    if (!o.ok())
        return QStringLiteral("%1: %2").arg(QLatin1String(to_string(o.kind)),
                                            QString::fromStdString(o.detail));
    const Comparison& c = all.first();
    if (all.several()) return (mean_texts(all) + shape_texts(all)).join(QLatin1Char('\n'));
    return ScheduleActions::tr(
               "%1, %2, %3 us against %4 us on %5; %6 fresh loads of each, outputs %7 on %8 input sets")
        .arg(QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(c.outcome.cost, 'f', 3), QString::number(c.details.cost_original_us, 'f', 3),
             QString::fromStdString(c.machine.device), QString::number(c.details.loads), outputs_text(all),
             QString::number(c.details.input_sets));
}

// Next to the result of the other cache state: names the cache state and has no line per shape.
QString cache_text(const ShapesComparison& all) {
    QString state = QLatin1String(to_string(cache_of(all.first().machine)));
    if (!state.isEmpty()) state[0] = state[0].toUpper();
    const bool mean = all.several() && all.outcome.ok();
    return ScheduleActions::tr("%1 cache: %2")
        .arg(state, mean ? mean_texts(all).join(QLatin1Char('\n')) : comparison_text(all));
}

HandFigure figure_of(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    HandFigure figure{EvaluatorKind::Gpu, o.kind, o.verdict, o.speedup, comparison_text(all)};
    if (o.ok() && !all.outputs_equal()) figure.outcome = OutcomeKind::WrongResult;
    return figure;
}

bool sound(const ShapesComparison& all) {
    return all.outcome.ok() && all.outputs_equal();
}

MessageKind kind_of(const ShapesComparison& all) {
    if (!sound(all)) return MessageKind::Error;
    if (!slower_shapes(all.figures()).empty()) return MessageKind::Warning;
    switch (all.outcome.verdict) {
        case Verdict::Faster:
            return MessageKind::Done;
        case Verdict::Slower:
            return MessageKind::Warning;
        default:
            return MessageKind::Info;
    }
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

void ScheduleActions::ask_and_export(ScheduleSlot slot) {
    if (!document_.is_open() || !document_.pair().schedule(slot)) return;
    const QString stem = QFileInfo(QString::fromStdString(document_.path().string())).completeBaseName();
    const QString suffix = file_suffix(slot, document_.pair().viewed_step());
    ask_for_file(window_,
                 {.what = Ask::NewFile,
                  .title = recompiled(*document_.pair().schedule(slot))
                               ? tr("Export %1, recompiled code").arg(title_of(slot))
                               : tr("Export %1").arg(title_of(slot)),
                  .folder = settings_.last_folder(),
                  .filters = tr("CUDA cubins (*.cubin);;All files (*)"),
                  .name = QStringLiteral("%1.%2.cubin").arg(stem, suffix),
                  .suffix = QStringLiteral("cubin")},
                 [this, slot](const QString& path) {
                     settings_.last_folder.set(QFileInfo(path).absolutePath());
                     export_to(slot, path, Replace::Confirmed);
                 });
}

// The step of a slot's schedule in the session; run 0: none.
void ScheduleActions::find_logged(ScheduleSlot slot, std::function<void(StepRef)> done) {
    if (slot == ScheduleSlot::Best)
        done(document_.pair().best_step());
    else if (slot == ScheduleSlot::Viewed)
        done(document_.pair().viewed_step());
    else if (slot == ScheduleSlot::Hand && *document_.pair().schedule(ScheduleSlot::Hand) !=
                                               *document_.pair().schedule(ScheduleSlot::Original))
        controller_.find_hand_step(document_.pair().schedule(ScheduleSlot::Hand)->hash(), std::move(done));
    else
        done({});
}

bool ScheduleActions::recompiled(const Schedule& schedule) const {
    return schedule.kernel()->hash() != document_.original()->hash();
}

void ScheduleActions::export_to(ScheduleSlot slot, const QString& path, Replace replace) {
    const SchedulePtr schedule = document_.pair().schedule(slot);
    if (!schedule) return;
    const OutputFile file = output_file(path, replace, schedule->kernel()->cubin().bytes().size() + 4096);
    find_logged(slot, [this, schedule, file](StepRef step) {
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
        [this, path = QString::fromStdString(file.path.string()), recompiled = recompiled(*schedule)](
            Result<ExportReport> report) {
            if (!report) return not_exported(report.error());
            messages_.clear_about(kOfExport);
            const QString stamp = QString::fromStdString(report->stamp);
            if (recompiled) {
                messages_.post(MessageKind::Done, tr("Exported %1, recompiled").arg(QFileInfo(path).fileName()),
                               tr("Other code than the original's, from the same PTX, so no patch of it. Keep the session "
                                  "next to it: whoever takes the cubin proves it by the start stored there. Stamp: %1")
                                   .arg(stamp),
                               0, ways_to_use_recompiled(path));
                return Q_EMIT exported(path, stamp);
            }
            messages_.post(
                MessageKind::Done, tr("Exported %1").arg(QFileInfo(path).fileName()),
                tr("%1 instructions moved, %2 control codes changed; read back and verified. Stamp: %3")
                    .arg(report->moved)
                    .arg(report->control_changed)
                    .arg(stamp),
                0, ways_to_use(path, document_.path()));
            Q_EMIT exported(path, stamp);
        },
        JobRunner::Scope::Window);
}

void ScheduleActions::measure(ScheduleSlot slot) {
    const SchedulePtr candidate = document_.pair().schedule(slot);
    if (!candidate || measuring_) return;
    const QString name = document_.pair().title(slot);
    if (*candidate == *document_.pair().schedule(ScheduleSlot::Original)) {
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
        measure_on_gpu(candidate, name, slot);
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

void ScheduleActions::measure_on_gpu(const SchedulePtr& candidate, const QString& name, ScheduleSlot slot) {
    take_gpu(tr("Measuring %1").arg(name),
             tr("against the original, %1 fresh loads of each, in fresh processes.").arg(kMeasureLoads) +
                 for_each_shape(*document_.workload()));
    find_logged(slot, [this, candidate, name](StepRef logged) {
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
        [candidate, original = document_.original(), workload = *document_.workload(),
         settings = controller_.gpu_settings(), session, logged](std::stop_token stop) -> Result<Measured> {
            TRY(check_launches(session, logged, workload));
            return measure_in_one_cache(original, *candidate, workload, {.gpu = settings, .loads = kMeasureLoads},
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
    return settings_.measure_again() && !measuring_ && !controller_.final_measured() && evaluator &&
           document_.pair().schedule(ScheduleSlot::Best) && needs_final_measurement(summary, *evaluator) &&
           document_.workload();
}

void ScheduleActions::measure_again(const RunSummary& summary) {
    if (!will_measure_again(summary)) return;
    const SchedulePtr best = document_.pair().schedule(ScheduleSlot::Best);
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
    settings.cache_given = true;
    jobs_.run<Result<std::vector<Measured>>>(
        kTag,
        [best, original = document_.original(), workload = *document_.workload(), settings](std::stop_token stop) {
            return final_measurement(original, *best, workload, settings, kFinalProcesses, stop);
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
    const SchedulePtr best_now = document_.pair().schedule(ScheduleSlot::Best);
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
        [candidate, model = document_.pair().model()](std::stop_token) -> Result<Outcome> {
            return model->get().against_original(*candidate);
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
