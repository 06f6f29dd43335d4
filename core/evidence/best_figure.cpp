// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/best_figure.h"

#include <array>

#include "core/evidence/claim_parts.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"

namespace cubinlab {
namespace {

void put_measurements(BestFigure& out, const std::vector<MeasurementRecord>& records, const RunInfo& run) {
    const MeasurementRecord* failed = failed_measurement(records, out.step);
    if (failed != nullptr && seen_to_fail(failed->outcome.kind)) {
        out.failed = to_string(failed->outcome.kind);
        return;
    }
    if (failed != nullptr) out.without_figure = without_figure(*failed);
    out.again = measured_like_run(records, run, out.step, out.logged);
    if (!out.again) return;
    out.by = EvaluatorKind::Gpu;
    out.device = out.again->device;
    out.cache = out.again->cache;
}

}  // namespace

std::optional<PooledMeasurement> measured_like_run(const std::vector<MeasurementRecord>& records,
                                                   const RunInfo& run, StepId step, const Outcome& logged) {
    const std::optional<Cache> cache = cache_of(evaluator_of(run, step));
    auto measured = measured_with_cache(records, step, cache);
    if (measured && cache && measured->cache != cache) measured.reset();
    if (measured && measured->shapes.empty() && is_over_shapes(logged)) measured.reset();
    return measured;
}

BestFigure best_figure(SessionReader& reader, const RunInfo& run) {
    const EvaluatorInfo& evaluator = evaluator_of(run, run.best_step);
    BestFigure out;
    out.run = run.id;
    out.step = run.best_step;
    out.by = evaluator.kind;
    out.device = evaluator.device;
    out.cache = cache_of(evaluator);
    if (out.step == 0) return out;
    out.logged.speedup = Speedup::exactly(run.best_log_speedup);
    const std::array wanted{out.step};
    if (auto rows = reader.steps_at(run.id, wanted); rows && !rows->empty()) {
        out.schedule_hash = rows->front().schedule_hash;
        out.logged = std::move(rows->front().outcome);
    }
    if (const auto records = reader.measurements(run.id)) put_measurements(out, *records, run);
    return out;
}

}  // namespace cubinlab
