// SPDX-License-Identifier: GPL-3.0-or-later
// Basic blocks and the edges between them, from branches, jump tables and block-ending instructions.
// Moves stay inside a block, so block boundaries (in positions) never change.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/binary/cubin.h"
#include "core/sass/instruction.h"

namespace cubinlab {

struct Block {
    Position first = 0;  // first position
    Position count = 0;  // instructions
    std::vector<BlockId> successors;
    std::vector<BlockId> predecessors;
    bool unknown_successors = false;    // RET, BRX without a table: the target is unknown
    bool unknown_predecessors = false;  // entry, or target of an unknown branch
    std::uint16_t loop_depth = 0;
    BlockId loop_header = kNone;  // innermost loop's header block
    Position end() const { return first + count; }
};

struct FlowGraph {
    std::vector<Block> blocks;      // in address order; every position belongs to exactly one
    std::vector<BlockId> block_of;  // by position
    std::vector<std::pair<BlockId, BlockId>> back_edges;  // (latch, header)
};

// Branch targets that the file lists. Offsets in bytes.
struct FlowHints {
    std::vector<std::uint32_t> indirect_targets;  // reachable from anywhere unless a branch below lists them
    std::vector<IndirectBranch> indirect_branches;  // complete target lists, by offset of the BRX
    std::vector<std::uint32_t> function_entries;    // functions in the code that CALL can reach
};

// Successors of a block:
//   BRA, JMP     the target; also the next block if there is a guard or another condition
//   BSYNC        the targets of the BSSYs that reach it through its B register; also the next block unless it
//                is such a target (a warp that does not wait falls through)
//   CALL         the callee; the word after it has unknown predecessors (the callee's RET reaches it)
//   RET          unknown; BRX: its list, else unknown and every indirect target
//   EXIT, KILL   none; the next block if guarded
// Loops are natural loops by dominators; a CALL counts as an edge to the word after it.
FlowGraph build_flow_graph(const std::vector<Instruction>& code, const FlowHints& hints);
FlowGraph build_flow_graph(const std::vector<Instruction>& code,
                           const std::vector<std::uint32_t>& indirect_targets);

// Code that a launch can reach: no padding after the last branch, no branch to itself at the end of a kernel.
// By block: reachable from the first block. An unknown branch reaches every block with unknown predecessors.
std::vector<bool> reachable_blocks(const FlowGraph& flow);

}  // namespace cubinlab
