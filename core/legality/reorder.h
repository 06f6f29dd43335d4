// SPDX-License-Identifier: GPL-3.0-or-later
// Reorders a block: finds scoreboards, waits, reuse flags and minimum stall counts that make an order legal.
// BlockProblem has the constraints of an order.
//
//   BlockProblem problem = block_problem(*checker, schedule, block);      // dependences and distances
//   auto result = reorder_block(*checker, schedule, block, order);        // legal, or nothing
//   auto tighter = tighten_stalls(*checker, schedule, {block});           // same order
//
// Stall counts: each instruction issues as early as possible: at the longest path over all distances inside
// the block and from other blocks. Distances around a loop edge are added at the block's end. For the given
// order and waits this minimises the cycles before each instruction. Waits: each instruction waits only for
// pending results that conflict with it, by the scoreboard proof. A result that is waited for inside the
// block may get another scoreboard, so that waits are separate. The result passes the full check.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/legality/hazard_checker.h"

namespace cubinlab {

// `first` issues before `second` of the same block, by index into BlockProblem::nodes.
struct BlockEdge {
    std::uint32_t first = 0, second = 0;
    std::uint16_t cycles = 1;    // issue distance, if it is fixed
    bool by_scoreboard = false;  // the second waits for the first
    bool reads = false;          // by_scoreboard: for the read of its operands, not for its result
};

struct BlockProblem {
    BlockId block = 0;
    std::vector<InstrId> nodes;        // in the schedule's order
    std::vector<bool> fixed;           // by node: pinned; nothing may pass it
    std::vector<BlockEdge> edges;      // by second
    std::vector<std::uint32_t> begin;  // of the edges into each node, and the end
};

BlockProblem block_problem(const HazardChecker& checker, const Schedule& legal, BlockId block);

struct ReorderSettings {
    bool new_scoreboards = true;  // else the scoreboards are kept
    bool add_reuse = true;        // set flags if the next instruction reads the same register
    // Editable instructions; empty: all. Others keep their control code.
    std::vector<bool> editable = {};
};

// `order`: all instructions of the block. Nothing: found no control codes that make it legal.
std::optional<Schedule> reorder_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                      std::span<const InstrId> order, const ReorderSettings& settings = {});

// The same order and waits with minimum stall counts. Nothing: they are already minimal.
std::optional<Schedule> tighten_stalls(const HazardChecker& checker, const Schedule& legal,
                                       std::span<const BlockId> blocks, const ReorderSettings& settings = {});

// Cycles from the block's first issue to the end of its last stall.
int block_cycles(const Schedule& schedule, BlockId block);

}  // namespace cubinlab
