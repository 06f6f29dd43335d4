// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_measurements.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <set>

#include "core/claims/best_figure.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

std::optional<HandFigure> figure_of(const std::vector<MeasurementRecord>& records, StepId step,
                                    const std::string& cache) {
    if (const MeasurementRecord* failed = failed_measurement(records, step)) {
        HandFigure figure;
        figure.kind = EvaluatorKind::Gpu;
        figure.outcome = failed->outcome.kind;
        figure.detail = QString::fromStdString(failed->outcome.detail);
        return figure;
    }
    auto most = measured_with_cache(records, step, cache);
    if (!most)
        for (PooledMeasurement& pooled : pool_measurements(records, step))
            if (!most || pooled.loads > most->loads) most = std::move(pooled);
    if (!most) return std::nullopt;
    return HandFigure{
        EvaluatorKind::Gpu,
        OutcomeKind::Ok,
        most->verdict,
        most->log_speedup,
        most->low,
        most->high,
        QCoreApplication::translate("measured", "against the original on %1, %2 cache, %3 fresh loads")
            .arg(QString::fromStdString(most->device), QString::fromStdString(most->cache))
            .arg(most->loads)};
}

}  // namespace

const StepMeasurement* measured_at(const StepMeasurements& measured, StepId step) {
    if (!measured) return nullptr;
    const auto found = std::lower_bound(measured->begin(), measured->end(), step,
                                        [](const StepMeasurement& m, StepId s) { return m.step < s; });
    return found != measured->end() && found->step == step ? &*found : nullptr;
}

Result<std::vector<StepMeasurement>> measured_steps(SessionHub& session, RunId id) {
    const RunInfo run = TRY(session.run(id));
    auto records = TRY(session.measurements(id));
    std::set<StepId> steps;
    for (const MeasurementRecord& record : records)
        steps.insert(record.step);
    std::vector<StepMeasurement> out;
    for (const StepId step : steps) {
        auto figure = figure_of(records, step, cache_of(evaluator_of(run, step)));
        if (!figure) continue;
        StepMeasurement measured{step, {}, std::move(*figure)};
        auto logged = TRY(session.steps(id, step - 1, 1));
        if (!logged.empty() && logged.front().step == step) {
            measured.schedule = logged.front().schedule_hash;
            measured.like_run = measured.figure.outcome != OutcomeKind::Ok ||
                                measured_like_run(records, run, step, logged.front().outcome).has_value();
        }
        out.push_back(std::move(measured));
    }
    return out;
}

}  // namespace cubinlab::ui
