// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel with several shapes ("shapes" in its workload): screened by the first, which is the workload
// itself; promoted and confirmed only if it is right in all of them.
//
// The figure of a confirmation is the mean of the shapes' log speed-ups, its interval the mean of their
// intervals, each made for its share of the error probability. FASTER needs that interval above the SAME zone
// and no shape SLOWER. The text of the outcome gives each shape's own figure.
#pragma once
#include <memory>
#include <stop_token>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

Result<std::unique_ptr<Evaluator>> make_shapes_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop);

bool is_over_shapes(const Outcome& outcome);  // over_shapes made it, and it has a figure
bool slower_in_a_shape(const Outcome& outcome);
// The outcome over all shapes; `names` belong to `outcomes`, the first being the workload itself. Where one did not run
// well there is no mean: it is that outcome, one seen to fail before one that nobody could measure, UNCLEAR, with the
// figures of the others in its text.
Outcome over_shapes(const std::vector<Outcome>& outcomes, const std::vector<std::string>& names,
                    double same_within);

}  // namespace cubinlab
