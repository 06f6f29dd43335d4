// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/final_measurement.h"

#include "core/tuning/evaluator_choice.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {

bool worth_measuring_again(const RunSummary& summary, const EvaluatorInfo& evaluator) {
    return evaluator.kind == EvaluatorKind::Gpu && summary.best_step != 0 &&
           (summary.end == RunEnd::Budget || summary.end == RunEnd::Exhausted);
}

Result<std::vector<MeasuredAgain>> measure_again(const Schedule& best, const Workload& workload,
                                                 GpuSettings settings, RunId run, StepId step, int loads,
                                                 std::stop_token stop) {
    settings = first_gpu(std::move(settings), stop);
    ++settings.seed;
    std::vector<bool> caches = {settings.flush_l2};
    if (settings.both_caches) caches = {false, true};
    settings.both_caches = false;
    auto writer = TRY(CubinWriter::create(best.kernel()));
    const std::vector<std::byte> image = writer.image(best);
    CompareOptions options;
    options.energy_ms = 0;  // it would take as long as the comparison
    options.alpha = kConfirmAlpha / static_cast<double>(caches.size());
    std::vector<MeasuredAgain> out;
    for (const bool cold : caches) {
        settings.flush_l2 = cold;
        auto comparison =
            compare_shapes(best.kernel()->cubin().bytes(), image, workload, settings, loads, stop, options);
        if (!comparison) {
            if (out.empty() || comparison.error().code != ErrorCode::Worker) return fail(comparison.error());
            // What was measured with the other cache is not lost with this one's worker.
            comparison = ShapesComparison(not_compared(comparison.error(), settings));
        }
        auto record = measurement_record(*comparison, run, step, "again", cold);
        out.push_back({std::move(*comparison), std::move(record)});
    }
    return out;
}

}  // namespace cubinlab
