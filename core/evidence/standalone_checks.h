// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that stand alone, without the session that they may come from (a bundle, a minimised schedule, a comparison
// that was just made), against what they were made of. What a session has to say of its own: stored_figures.h.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/client/shapes_comparison.h"
#include "core/store/session.h"

namespace cubinlab {

// The recorded outcome of `schedule`, recomputed: by the model, or from its samples. A screening is a sum with the figure
// of an earlier step, which is not at hand. Returns why it could not be checked; empty: it was, or there is none. Corrupt
// where it does not follow. `workload`: of the launch that the model judged, for a schedule of another compilation.
Result<std::string> check_lone_figure(const Kernel& original, const Schedule& schedule, const RunInfo& run,
                                      const StepRecord& record, const std::optional<Workload>& workload = {});

// Over fresh loads, and what it was judged with; `shapes` share the error probability of one.
struct LoadsFigure {
    Verdict verdict = Verdict::Unclear;
    Speedup speedup;
    double alpha = 0;
    double pair_deviation = 0, load_deviation = 0, same_within = 0;
    std::size_t shapes = 1;
};
// Corrupt where the figure does not follow from the samples of each load.
Status check_loads_figure(std::span<const std::vector<float>> by_load, const LoadsFigure& stored);
// The same of a comparison as it came from the GPU: of every shape, and of their mean.
Status check_comparison(const ShapesComparison& measured);
// Corrupt where `mean` is not that of the shapes.
Status check_mean_of_shapes(const ShapeFigures& shapes, const ShapeFigure& mean, double same_within);

}  // namespace cubinlab
