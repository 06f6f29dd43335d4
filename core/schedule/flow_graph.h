// SPDX-License-Identifier: GPL-3.0-or-later
// Basic blocks and the edges between them, from branches, jump tables and block-ending instructions.
// Moves stay inside a block, so block boundaries (in positions) never change.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/sass/instruction.h"

namespace cubinlab {

struct Block {
    Position first = 0;                 // first position
    Position count = 0;                 // instructions
    std::vector<BlockId> successors;
    std::vector<BlockId> predecessors;
    bool unknown_successors = false;    // RET, BRX with no table: leaves to an unknown place
    bool unknown_predecessors = false;  // entry, or a target of something unknown
    std::uint16_t loop_depth = 0;
    BlockId loop_header = kNone;        // innermost loop's header block
    Position end() const { return first + count; }
};

struct FlowGraph {
    std::vector<Block> blocks;          // in address order; every position belongs to exactly one
    std::vector<BlockId> block_of;      // by position
    std::vector<std::pair<BlockId, BlockId>> back_edges;  // (latch, header)
};

FlowGraph build_flow_graph(const std::vector<Instruction>& code, const std::vector<std::uint32_t>& indirect_targets);

}  // namespace cubinlab
