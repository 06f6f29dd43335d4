// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_measurements.h"

#include <QCoreApplication>
#include <optional>
#include <set>

#include "core/claims/step_measurement.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

std::optional<HandFigure> figure_of(const std::vector<MeasurementRecord>& records, StepId step) {
    if (const MeasurementRecord* failed = failed_measurement(records, step)) {
        HandFigure figure;
        figure.kind = EvaluatorKind::Gpu;
        figure.outcome = failed->outcome.kind;
        figure.detail = QString::fromStdString(failed->outcome.detail);
        return figure;
    }
    std::optional<PooledMeasurement> most;
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

std::vector<StepMeasurement> measured_steps(const std::vector<MeasurementRecord>& records) {
    std::set<StepId> steps;
    for (const MeasurementRecord& record : records)
        steps.insert(record.step);
    std::vector<StepMeasurement> out;
    for (const StepId step : steps)
        if (auto figure = figure_of(records, step)) out.push_back({step, {}, std::move(*figure)});
    return out;
}

Result<std::vector<StepMeasurement>> measured_steps(SessionHub& session, RunId run) {
    auto records = TRY(session.measurements(run));
    std::vector<StepMeasurement> out = measured_steps(records);
    for (StepMeasurement& measured : out) {
        auto logged = TRY(session.steps(run, measured.step - 1, 1));
        if (!logged.empty() && logged.front().step == measured.step)
            measured.schedule = logged.front().schedule_hash;
    }
    return out;
}

}  // namespace cubinlab::ui
