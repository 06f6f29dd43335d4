// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule_actions.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "core/measure/gpu_evaluator.h"
#include "core/schedule/cubin_writer.h"
#include "core/workflow/evaluator_choice.h"
#include "core/workflow/step_measurement.h"
#include "ui/agent_bar.h"
#include "ui/job_runner.h"
#include "ui/message_bar.h"
#include "ui/run_controller.h"
#include "ui/settings.h"

namespace cubinlab::ui {
namespace {

constexpr int kMeasureLoads = 12;  // fresh module loads of each side

QString file_suffix(Head head, StepRef viewed) {
    switch (head) {
        case Head::Original:
            return QStringLiteral("original");
        case Head::Hand:
            return QStringLiteral("hand");
        case Head::Best:
            return QStringLiteral("best");
        case Head::Viewed:
            return QStringLiteral("step%1").arg(viewed.step);
        case Head::Other:
            return QStringLiteral("other");
    }
    return {};
}

QString comparison_text(const Comparison& c) {
    const Outcome& o = c.outcome;
    if (!o.ok())
        return QStringLiteral("%1: %2").arg(QLatin1String(to_string(o.kind)),
                                            QString::fromStdString(o.detail));
    return QStringLiteral(
               "%1, %2 [%3, %4], %5 us against %6 us on %7; %8 fresh loads of each, outputs %9 on %10 input "
               "sets")
        .arg(QLatin1String(to_string(o.verdict)), speedup_text(o.log_speedup), speedup_text(o.low),
             speedup_text(o.high))
        .arg(c.cost_b_us, 0, 'f', 3)
        .arg(c.cost_a_us, 0, 'f', 3)
        .arg(QString::fromStdString(c.machine.device))
        .arg(c.loads)
        .arg(c.outputs_equal ? QStringLiteral("bitwise equal") : QStringLiteral("DIFFERENT"))
        .arg(c.input_sets);
}

HandFigure figure_of(const Comparison& c) {
    HandFigure figure{EvaluatorKind::Gpu, c.outcome.kind, c.outcome.verdict, c.outcome.log_speedup,
                      c.outcome.low,      c.outcome.high, comparison_text(c)};
    if (c.outcome.ok() && !c.outputs_equal) figure.outcome = OutcomeKind::WrongResult;
    return figure;
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

void ScheduleActions::ask_and_export(Head head) {
    if (!document_.is_open() || !document_.head(head)) return;
    const QString stem = QFileInfo(QString::fromStdString(document_.path().string())).completeBaseName();
    const QString proposed =
        QStringLiteral("%1/%2.%3.cubin")
            .arg(settings_.last_folder(), stem, file_suffix(head, document_.viewed_step()));
    auto* dialog = new QFileDialog(window_, tr("Export %1").arg(title_of(head)), proposed,
                                   tr("CUDA cubins (*.cubin);;All files (*)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("cubin"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, head](const QString& path) {
        settings_.set_last_folder(QFileInfo(path).absolutePath());
        export_to(head, path);
    });
    dialog->open();
}

void ScheduleActions::export_to(Head head, const QString& path) {
    const SchedulePtr schedule = document_.head(head);
    if (!schedule) return;
    StepRef step;
    if (head == Head::Best)
        step = document_.best_step();
    else if (head == Head::Viewed)
        step = document_.viewed_step();
    else if (head == Head::Hand && *schedule != *document_.head(Head::Original))
        step = controller_.hand_step();
    if (step.run == 0) {
        write(schedule, path, Provenance{});
        return;
    }
    const std::filesystem::path session = controller_.session_path();
    controller_.fetch_step(
        step, [this, schedule, path, session](Result<std::pair<RunInfo, StepRecord>> found) {
            // A schedule whose log cannot be read is still exported, as unmeasured.
            write(schedule, path, found ? provenance_of(found->first, found->second, session) : Provenance{});
        });
}

void ScheduleActions::write(SchedulePtr schedule, const QString& path, const Provenance& provenance) {
    jobs_.run<Result<ExportReport>>(
        QStringLiteral("export"),
        [schedule, path, provenance](std::stop_token) {
            return export_cubin(*schedule, path.toStdString(), provenance);
        },
        [this, path](Result<ExportReport> report) {
            if (!report) {
                messages_.post({MessageKind::Error,
                                tr("Not exported"),
                                QString::fromStdString(report.error().message()),
                                {},
                                0});
                Q_EMIT export_failed(QString::fromStdString(report.error().message()));
                return;
            }
            const QString stamp = QString::fromStdString(report->stamp);
            messages_.post(
                {MessageKind::Done,
                 tr("Exported %1").arg(QFileInfo(path).fileName()),
                 tr("%1 instructions moved, %2 control codes changed; read back and proven legal. Stamp: %3")
                     .arg(report->moved)
                     .arg(report->control_changed)
                     .arg(stamp),
                 {},
                 20});
            Q_EMIT exported(path, stamp);
        });
}

void ScheduleActions::measure(Head head) {
    const SchedulePtr candidate = document_.head(head);
    if (!candidate || measuring_) return;
    const QString name = title_of(head);
    if (*candidate == *document_.head(Head::Original)) {
        messages_.post({MessageKind::Info,
                        tr("Nothing to measure"),
                        tr("%1 is the original schedule.").arg(name),
                        {},
                        8});
        return;
    }
    const auto& gpu = controller_.gpu();
    if (!gpu) {
        messages_.post({MessageKind::Info, tr("One moment"), tr("Still looking for a GPU."), {}, 5});
        return;
    }
    if (!gpu->present)
        compare_by_model(candidate, name, tr("no usable GPU: %1").arg(QString::fromStdString(gpu->reason)));
    else if (!gpu_runs(gpu->sm, document_.kernel()->arch()))
        compare_by_model(candidate, name,
                         tr("%1 cannot run %2 code")
                             .arg(QString::fromStdString(gpu->device),
                                  QString::fromStdString(document_.kernel()->arch().name())));
    else if (!document_.workload())
        compare_by_model(candidate, name,
                         document_.workload_problem().isEmpty()
                             ? tr("there is no workload file beside the cubin")
                             : document_.workload_problem());
    else
        measure_on_gpu(candidate, name, head == Head::Hand ? controller_.hand_step() : StepRef{});
}

void ScheduleActions::stop_measuring() {
    jobs_.cancel(QStringLiteral("measure"));
    if (!measuring_) return;
    measuring_ = false;
    Q_EMIT measuring_changed();
}

void ScheduleActions::measure_on_gpu(const SchedulePtr& candidate, const QString& name, StepRef logged) {
    measuring_ = true;
    Q_EMIT measuring_changed();
    messages_.post({MessageKind::Info,
                    tr("Measuring %1").arg(name),
                    tr("against the original, %1 fresh loads of each in random order.").arg(kMeasureLoads),
                    {},
                    0});
    jobs_.run<Result<Comparison>>(
        QStringLiteral("measure"),
        [candidate, workload = *document_.workload()](std::stop_token stop) -> Result<Comparison> {
            auto writer = CubinWriter::create(candidate->kernel());
            if (!writer) return fail(writer.error());
            const std::vector<std::byte> image = writer->image(*candidate);
            return compare_cubins(candidate->kernel()->cubin().bytes(), image, workload, {}, kMeasureLoads,
                                  stop);
        },
        [this, name, logged, hash = candidate->hash()](Result<Comparison> comparison) {
            measuring_ = false;
            Q_EMIT measuring_changed();
            messages_.clear(MessageKind::Info);
            if (!comparison) {
                messages_.post({MessageKind::Error,
                                tr("Not measured"),
                                QString::fromStdString(comparison.error().message()),
                                {},
                                0});
                return;
            }
            document_.note_figure(hash, figure_of(*comparison));
            if (logged.run != 0)
                controller_.log_measurement(
                    measurement_record(*comparison, logged.run, logged.step, "measure", false));
            const bool sound = comparison->outcome.ok() && comparison->outputs_equal;
            messages_.post({sound ? MessageKind::Done : MessageKind::Error,
                            tr("%1 against the original").arg(name),
                            comparison_text(*comparison),
                            {},
                            0});
            Q_EMIT compared();
        });
}

void ScheduleActions::compare_by_model(const SchedulePtr& candidate, const QString& name,
                                       const QString& why) {
    jobs_.run<Result<Outcome>>(
        QStringLiteral("measure"),
        [candidate, workload = document_.workload()](std::stop_token stop) -> Result<Outcome> {
            auto choice = choose_evaluator(candidate->kernel(), workload, "model", {}, stop);
            if (!choice) return fail(choice.error());
            auto outcomes = choice->evaluator->evaluate(std::span(candidate.get(), 1),
                                                        Schedule(candidate->kernel()), Effort::Confirm, stop);
            if (!outcomes) return fail(outcomes.error());
            if (outcomes->empty()) return fail(ErrorCode::Worker, "the model gave no figure");
            return outcomes->front();
        },
        [this, name, why, hash = candidate->hash()](Result<Outcome> outcome) {
            if (!outcome) {
                messages_.post({MessageKind::Error,
                                tr("Not measured"),
                                QString::fromStdString(outcome.error().message()),
                                {},
                                0});
                return;
            }
            document_.note_figure(hash, {EvaluatorKind::Model,
                                         outcome->kind,
                                         outcome->verdict,
                                         outcome->log_speedup,
                                         outcome->low,
                                         outcome->high,
                                         {}});
            messages_.post(
                {MessageKind::Warning,
                 tr("Modelled, unmeasured"),
                 tr("%1 takes %2 modelled cycles, %3 of the original's speed in the model. Not measured: %4.")
                     .arg(name)
                     .arg(outcome->cost, 0, 'f', 0)
                     .arg(speedup_text(outcome->log_speedup), why),
                 {},
                 0});
            Q_EMIT compared();
        });
}

}  // namespace cubinlab::ui
