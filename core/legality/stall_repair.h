// SPDX-License-Identifier: GPL-3.0-or-later
// Stall repair. add_required_stalls completes an edit that is illegal only because of missing cycles
// (fixed-latency distances, set-to-wait, issue floors, yield at stall 1) with higher stall counts in the same
// mutation. remove_excess_stalls lowers stall counts that an edit leaves higher than necessary.
//
//   auto m = add_required_stalls(checker, legal, Mutation::move_before(ldg, hmma));
//   m->text(kernel)      // "move LDG 0x0a30 before HMMA 0x0980, paying 3 cycles on IADD3 0x0970"
//   auto less = remove_excess_stalls(checker, legal, *m);     // "..., refunding 2 cycles on HMMA 0x0980"
//
// Cycles are added directly before the instruction that needs them, from the start of the block to its end:
// this gives the earliest issue of every instruction for a fixed order. If a stall count is full (11, or 15
// with yield) the previous instruction takes the rest. The result is legal by HazardChecker::allows.
#pragma once
#include <functional>
#include <limits>
#include <optional>

#include "core/legality/hazard_checker.h"

namespace cubinlab {

struct StallRepairSettings {
    // Whose stall count may change; empty: all. A stall count that the mutation itself sets is not changed.
    std::function<bool(InstrId)> may_change;
    int max_cycles = 32;  // total; the repair fails if it needs more
};

// Returns the mutation followed by the required stall edits, or unchanged if it is legal. Nothing: stall
// counts cannot make it legal. `legal` must be legal.
std::optional<Mutation> add_required_stalls(const HazardChecker& checker, const Schedule& legal,
                                            const Mutation& mutation,
                                            const StallRepairSettings& settings = {});

// Returns the legal mutation followed by edits that lower stall counts of the moved instructions and of their
// neighbours at both positions. Unchanged if nothing can be lowered.
Mutation remove_excess_stalls(const HazardChecker& checker, const Schedule& legal, const Mutation& mutation,
                              const StallRepairSettings& settings = {});

// Raises stall counts of one block of `schedule` until it is legal; `legal` differs only in this block.
// Nothing: stall counts cannot make it legal, or not in fewer than `below` cycles.
std::optional<Schedule> raise_block_stalls(const HazardChecker& checker, const Schedule& legal,
                                           Schedule schedule, BlockId block,
                                           const std::function<bool(InstrId)>& may_change = {},
                                           int below = std::numeric_limits<int>::max());

}  // namespace cubinlab
