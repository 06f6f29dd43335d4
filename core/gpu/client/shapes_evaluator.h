// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates a kernel with several shapes ("shapes" in its workload): the first one, the workload itself, is
// for screening; refinement and confirmation need correct results in all shapes.
//
// The figure of a confirmation is the mean of the log speed-ups of the shapes, its interval the mean of their
// intervals, each for its share of the error probability. FASTER needs that interval above the SAME zone and
// no shape SLOWER. `detail` has the figure of each shape.
#pragma once
#include <memory>
#include <stop_token>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

Result<std::unique_ptr<Evaluator>> make_shapes_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop);

// Whether over_shapes() made the outcome. Those of earlier versions are recognised by their text.
bool is_over_shapes(const Outcome& outcome);
std::string shapes_in_words(
    const Outcome& outcome);  // "mean of shapes: first +1.20 % ..."; empty if is_over_shapes() is false
bool slower_in_a_shape(const Outcome& outcome);
// The outcome over all shapes; `names` belong to `outcomes`, the first is the workload itself. If a shape
// failed there is no mean: the result is its outcome (a failed candidate before a lost worker), UNCLEAR, with
// the figures of the others in `detail`.
Outcome over_shapes(const std::vector<Outcome>& outcomes, const std::vector<std::string>& names,
                    double same_within);

}  // namespace cubinlab
