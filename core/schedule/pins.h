// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the words of a kernel that cannot move, with reasons for the user.
#pragma once
#include <string>
#include <vector>

#include "core/binary/cubin.h"
#include "core/sass/instruction.h"
#include "core/schedule/flow_graph.h"

namespace cubinlab {

// One reason per instruction; empty: movable.
std::vector<std::string> find_pins(const Cubin& cubin, const KernelInfo& info,
                                   const std::vector<Instruction>& code, const FlowGraph& flow);

}  // namespace cubinlab
