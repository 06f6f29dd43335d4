// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_measurements.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <set>

#include "core/evidence/best_figure.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

QString figure_words(const PooledMeasurement& m) {
    QString of =
        QCoreApplication::translate("measured", "against the original on %1, %2 cache, %3 fresh loads")
            .arg(QString::fromStdString(m.device), QLatin1String(to_string(m.cache)))
            .arg(m.loads);
    if (!m.shapes.empty())
        of += QCoreApplication::translate("measured", ", mean of %1 shapes").arg(m.shapes.size());
    if (const QString slower = slower_text(m.shapes, m.speedup.log); !slower.isEmpty())
        of += QStringLiteral(". ") + slower;
    return of;
}

// Without its schedule.
std::optional<StepMeasurement> measurement_of(const std::vector<MeasurementRecord>& records, StepId step,
                                              std::optional<Cache> cache) {
    StepMeasurement out;
    out.step = step;
    if (const MeasurementRecord* failed = failed_measurement(records, step)) {
        out.figure.kind = EvaluatorKind::Gpu;
        out.figure.outcome = failed->outcome.kind;
        out.figure.detail = QString::fromStdString(failed->outcome.detail);
        return out;
    }
    auto most = measured_with_cache(records, step, cache);
    if (!most)
        for (PooledMeasurement& pooled : pool_measurements(records, step))
            if (!most || pooled.loads > most->loads) most = std::move(pooled);
    if (!most) return std::nullopt;
    out.figure = {EvaluatorKind::Gpu, OutcomeKind::Ok, most->verdict, most->speedup, figure_words(*most)};
    out.shapes = most->shapes;
    return out;
}

}  // namespace

QString slower_text(const ShapeFigures& shapes, double mean) {
    const auto names = slower_shapes(shapes);
    if (names.empty()) return {};
    const QString text = mean > 0 ? QCoreApplication::translate(
                                        "measured", "SLOWER in %1, %2 of %3 shapes, while the mean gains.")
                                  : QCoreApplication::translate("measured", "SLOWER in %1, %2 of %3 shapes.");
    return text.arg(QString::fromStdString(names_in_short(names)), QString::number(names.size()),
                    QString::number(shapes.size()));
}

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
        auto found = measurement_of(records, step, cache_of(evaluator_of(run, step)));
        if (!found) continue;
        StepMeasurement measured = std::move(*found);
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
