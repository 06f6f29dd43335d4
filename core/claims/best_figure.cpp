// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/best_figure.h"

#include <array>

#include "core/measure/shapes_evaluator.h"

namespace cubinlab {

Result<BestFigure> best_figure(SessionReader& reader, const RunInfo& run) {
    BestFigure out;
    if (run.best_step == 0) return out;
    const std::array wanted{run.best_step};
    auto rows = TRY(reader.steps_at(run.id, wanted));
    if (rows.empty()) return out;
    out.step = run.best_step;
    out.logged = std::move(rows.front().outcome);
    auto records = TRY(reader.measurements(run.id));
    if (const MeasurementRecord* failed = failed_measurement(records, out.step))
        out.failed = to_string(failed->outcome.kind);
    else if (!is_over_shapes(out.logged))  // a measurement is of the first shape alone
        out.again = measured_with_cache(records, out.step, cache_of(evaluator_of(run, out.step)));
    return out;
}

}  // namespace cubinlab
