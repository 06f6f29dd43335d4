// SPDX-License-Identifier: GPL-3.0-or-later
// More data on a logged step: measured again over fresh loads, put into the session, and judged together with
// what was measured of it before on the same GPU. The interval is valid at all sample sizes at once, so a
// step that stays UNCLEAR may be given data until it is clear.
//
//   auto now = compare_shapes(original, image, workload, settings, 12, stop);
//   session->add_measurement(measurement_record(*now, run, step, "measure", Cache::Cold));
//   auto pooled = pool_measurements(reader->measurements(run), step);       // all of one GPU and cache state
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/client/shapes_comparison.h"
#include "core/result/cache.h"
#include "core/store/session.h"

namespace cubinlab {

// Where a shape has no figure, the figures of the others stay in the record, and are pooled with nothing, since there is
// no mean.
MeasurementRecord measurement_record(const ShapesComparison& measured, RunId run, StepId step,
                                     const std::string& purpose, Cache cache);

// The purpose of a measurement that chose the winner of a tuning among several ends. It helped to choose, so it counts only
// as long as the step has no other measurement.
inline constexpr const char* kChoicePurpose = "choice";

struct PooledMeasurement {
    std::string device;
    Cache cache = Cache::Hot;
    std::size_t measurements = 0, loads = 0, pairs = 0;
    Speedup speedup;
    Verdict verdict = Verdict::Unclear;
    // Of several, where all were measured: the figure above is their mean then, `loads` those of the shape with the fewest.
    // Empty: the workload has one shape.
    ShapeFigures shapes;
};
// One for each GPU (its UUID) and cache state that measured this step, in the order of their first
// measurement. Records that failed, or that hold no samples by load, are left out.
std::vector<PooledMeasurement> pool_measurements(const std::vector<MeasurementRecord>& records, StepId step);

// What they say of a step whose run was judged with `cache`: the GPU that gave it the most loads
// with that cache, of all shapes where one did; of a mean's two states their mean, where one GPU has both, each judged for half of
// the error probability; else hot, whatever the run's was. Empty: nothing.
std::optional<PooledMeasurement> measured_with_cache(const std::vector<MeasurementRecord>& records,
                                                     StepId step, std::optional<Cache> cache);

// A measurement of that step that did not run well. Null: none. What was seen to fail (a wrong result, a fault, a hang)
// must not be exported; what nobody could measure (a lost worker) leaves the step UNCLEAR where no other measurement with
// the same cache ran well.
const MeasurementRecord* failed_measurement(const std::vector<MeasurementRecord>& records, StepId step);
// "shape wide (WorkerLost)": what of it has no figure.
std::string without_figure(const MeasurementRecord& failed);
Error refusal_to_export(const MeasurementRecord& failed, const std::string& session);

}  // namespace cubinlab
