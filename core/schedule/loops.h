// SPDX-License-Identifier: GPL-3.0-or-later
// Natural loops of a flow graph, by dominators (Cooper, Harvey, Kennedy, "A simple, fast dominance
// algorithm").
#pragma once
#include <utility>
#include <vector>

#include "core/schedule/flow_graph.h"

namespace cubinlab {

// Fills back_edges, loop_depth and loop_header. `return_edges`: pairs of blocks to treat as connected here
// only.
void find_loops(FlowGraph& graph, const std::vector<std::pair<BlockId, BlockId>>& return_edges);

// By block: a path leads from it back to itself (Tarjan's strongly connected components).
std::vector<bool> blocks_in_cycles(const FlowGraph& graph);

}  // namespace cubinlab
