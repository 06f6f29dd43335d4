// SPDX-License-Identifier: GPL-3.0-or-later
// The path through a kernel that the model runs: blocks in address order, loops repeated a few times until
// they are steady, each pass with a weight, so that the weights of a loop add up to all its passes.
//
//   for blocks A, L (a loop on itself), B with 16 passes:   A*1 L*1 L*1 L*7 L*7 B*1
//
// Every reachable block is walked, both sides of a branch: slow paths count once for each pass of their loop.
#pragma once
#include <vector>

#include "core/schedule/flow_graph.h"

namespace cubinlab {

struct Pass {
    BlockId block = 0;
    double weight = 1;
};

// `trips_of`: passes of single loops by their header block; 0 or missing: `loop_trips`; negative: the loop is left out.
std::vector<Pass> make_trace(const FlowGraph& flow, int loop_trips, const std::vector<int>& trips_of = {});

}  // namespace cubinlab
