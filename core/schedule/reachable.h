// SPDX-License-Identifier: GPL-3.0-or-later
// Code that a launch can reach: no padding after the last branch, no branch to itself at the end of a kernel.
#pragma once
#include <vector>

#include "core/schedule/flow_graph.h"

namespace cubinlab {

// By block: reachable from the first block. An unknown branch reaches every block with unknown predecessors.
std::vector<bool> reachable_blocks(const FlowGraph& flow);

}  // namespace cubinlab
