// SPDX-License-Identifier: GPL-3.0-or-later
// A block in another order: scoreboards, waits, reuse flags and stall counts that make the order legal, with the
// stall counts as low as the order permits. And what an order has to keep, for whoever makes one.
//
//   BlockProblem problem = block_problem(*checker, schedule, block);      // who waits for whom, and how long
//   auto result = reorder_block(*checker, schedule, block, order);        // proven, or nothing
//   auto tighter = tighten_stalls(*checker, schedule, {block});           // the order as it is
//
// Stall counts: every instruction issues as early as what stands before it allows, which is the longest path over
// all distances inside the block and from other blocks; what a loop asks for round its edge is paid at the
// block's end. For the order and the waits that gives the least number of cycles in front of each instruction.
// Waits: each instruction waits for what it would otherwise meet unfinished, by the proof itself, and for
// nothing else. A result that is waited for inside the block may get another scoreboard, so that a wait for one
// is no wait for another. What comes out was put to the full check like any candidate.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/hazard_checker.h"

namespace cubinlab {

// `first` issues before `second` of the same block, by index into BlockProblem::nodes.
struct BlockEdge {
    std::uint32_t first = 0, second = 0;
    std::uint16_t cycles = 1;    // from issue to issue, where the distance is fixed
    bool by_scoreboard = false;  // the second waits for the first, however long that takes
    bool reads = false;          // by_scoreboard: for its operands to be read, not for its result
};

struct BlockProblem {
    BlockId block = 0;
    std::vector<InstrId> nodes;        // in the schedule's order
    std::vector<bool> fixed;           // by node: keeps its place, and nothing passes it
    std::vector<BlockEdge> edges;      // by second
    std::vector<std::uint32_t> begin;  // of the edges into each node; one more than nodes
};

BlockProblem block_problem(const HazardChecker& checker, const Schedule& legal, BlockId block);

struct ReorderSettings {
    bool new_scoreboards = true;  // else each keeps its own
    bool add_reuse = true;        // set flags where the next instruction reads the same register
    // Who may be edited; empty: everybody. An instruction that may not keeps its control code.
    std::vector<bool> editable = {};
};

// `order`: all instructions of the block. Nothing: no control codes were found that make it legal.
std::optional<Schedule> reorder_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                      std::span<const InstrId> order, const ReorderSettings& settings = {});

// The same order and the same waits with the least stall counts. Nothing: they are the least already.
std::optional<Schedule> tighten_stalls(const HazardChecker& checker, const Schedule& legal,
                                       std::span<const BlockId> blocks, const ReorderSettings& settings = {});

// Cycles from the block's first issue to the end of its last stall.
int block_cycles(const Schedule& schedule, BlockId block);

}  // namespace cubinlab
