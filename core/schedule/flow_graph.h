// SPDX-License-Identifier: GPL-3.0-or-later
// Basic blocks and the edges between them, from branches, jump tables and block-ending instructions.
// Moves stay inside a block, so block boundaries (in positions) never change.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/cubin/cubin.h"
#include "core/sass/instruction.h"

namespace cubinlab {

struct Block {
    Position first = 0;  // first position
    Position count = 0;  // instructions
    std::vector<BlockId> successors;
    std::vector<BlockId> predecessors;
    bool unknown_successors = false;    // RET, BRX with no table: leaves to an unknown place
    bool unknown_predecessors = false;  // entry, or a target of something unknown
    std::uint16_t loop_depth = 0;
    BlockId loop_header = kNone;  // innermost loop's header block
    Position end() const { return first + count; }
};

struct FlowGraph {
    std::vector<Block> blocks;      // in address order; every position belongs to exactly one
    std::vector<BlockId> block_of;  // by position
    std::vector<std::pair<BlockId, BlockId>> back_edges;  // (latch, header)
};

// What the file says about places that no direct branch names. Offsets in bytes.
struct FlowHints {
    std::vector<std::uint32_t>
        indirect_targets;  // may be reached from anywhere unless a branch below lists them
    std::vector<IndirectBranch> indirect_branches;  // complete target lists, by the BRX's offset
    std::vector<std::uint32_t> function_entries;    // functions inside the code that CALL reaches
};

// Where successors come from:
//   BRA, JMP     the target; the next block too if there is a guard or any other condition
//   BSYNC        the targets of the BSSYs that reach it through its B register; the next block too unless it
//                is such a target (a warp that does not wait falls through)
//   CALL         the callee; the word after it has unknown predecessors (it is reached by the callee's RET)
//   RET          unknown; BRX: its list, else unknown and every indirect target
//   EXIT, KILL   none, the next block if guarded
// Loops are natural loops by dominators, with CALL taken to return to the word after it.
FlowGraph build_flow_graph(const std::vector<Instruction>& code, const FlowHints& hints);
FlowGraph build_flow_graph(const std::vector<Instruction>& code,
                           const std::vector<std::uint32_t>& indirect_targets);

}  // namespace cubinlab
