// SPDX-License-Identifier: GPL-3.0-or-later
// Natural loops of a flow graph by dominators (Cooper, Harvey, Kennedy, "A simple, fast dominance
// algorithm").
#pragma once
#include <utility>
#include <vector>

#include "core/schedule/flow_graph.h"

namespace cubinlab {

// Sets back_edges, loop_depth and loop_header. `return_edges`: additional edges for this analysis only.
void find_loops(FlowGraph& graph, const std::vector<std::pair<BlockId, BlockId>>& return_edges);

// Blocks of the innermost loop around `block`, its header included, in address order; empty: no loop.
std::vector<BlockId> blocks_of_loop(const FlowGraph& graph, BlockId block);

// By block: true if the block is in a cycle (Tarjan's strongly connected components).
std::vector<bool> blocks_in_cycles(const FlowGraph& graph);

}  // namespace cubinlab
