// SPDX-License-Identifier: GPL-3.0-or-later
// Which code a launch may come to. Padding behind the last branch is none of it, nor the branch to itself that ends a kernel.
#pragma once
#include <vector>

#include "core/schedule/flow_graph.h"

namespace cubinlab {

// By block: on a way from the first block. Behind an unknown jump lies every block that something unknown may lead to.
std::vector<bool> reachable_blocks(const FlowGraph& flow);

}  // namespace cubinlab
