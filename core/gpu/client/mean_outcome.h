// SPDX-License-Identifier: GPL-3.0-or-later
// The outcome of a candidate over several shapes, and over several cache states.
//
// The figure is the mean of the log speed-ups, the interval the mean of the intervals, each for its share of
// the error probability. `detail` has the figure of each shape and of each cache state.
#pragma once
#include <string>
#include <vector>

#include "core/result/cache.h"
#include "core/result/outcome.h"

namespace cubinlab {

// FASTER needs the mean above the SAME zone and no shape SLOWER. `names` belong to `outcomes`, the first is
// the workload itself. If a shape failed there is no mean: the result is its outcome (a failed candidate before
// a lost worker), UNCLEAR, with the figures of the others in `detail`.
Outcome over_shapes(const std::vector<Outcome>& outcomes, const std::vector<std::string>& names,
                    double same_within);
// Whether over_shapes() made the outcome, and it has a figure.
bool is_over_shapes(const Outcome& outcome);
bool slower_in_a_shape(const Outcome& outcome);

// `caches` belong to `outcomes`. If the candidate is SLOWER in one of them, the result is that loss. FASTER
// needs a mean above the SAME zone and, if the outcomes are confirmations (`claim`), every figure at least
// -same_within and no shape SLOWER. Cost and samples are those of the first. If one failed, the result is its
// outcome.
Outcome over_caches(const std::vector<Outcome>& outcomes, const std::vector<Cache>& caches, bool claim,
                    double same_within);

}  // namespace cubinlab
