// SPDX-License-Identifier: GPL-3.0-or-later
// The dependency graph of a whole loop: its blocks' graphs in schedule order, and the dependences that cross
// from one block to another. Slack and critical path stay those of each block: between blocks the path that
// is taken decides. Knows no Qt.
#pragma once
#include <vector>

#include "core/legality/dependency_graph.h"

namespace cubinlab::ui {

// Blocks of the innermost loop that holds `block`, in address order; empty: it is in none.
std::vector<BlockId> blocks_of_loop(const FlowGraph& flow, BlockId block);

DependencyGraph build_loop_graph(const Schedule& schedule, const std::vector<BlockId>& blocks);

}  // namespace cubinlab::ui
