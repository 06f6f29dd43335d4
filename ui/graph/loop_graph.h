// SPDX-License-Identifier: GPL-3.0-or-later
// The dependency graph of a whole loop: the graphs of its blocks in schedule order, plus the dependences
// between blocks. Slack and critical path are per block, because the path between blocks depends on branches.
// No Qt.
#pragma once
#include <vector>

#include "core/legality/dependency_graph.h"

namespace cubinlab::ui {

// Blocks of the innermost loop around `block`, in address order; empty: no loop.
std::vector<BlockId> blocks_of_loop(const FlowGraph& flow, BlockId block);

DependencyGraph build_loop_graph(const Schedule& schedule, const std::vector<BlockId>& blocks);

}  // namespace cubinlab::ui
