// SPDX-License-Identifier: GPL-3.0-or-later
// Move and pay: an edit that is illegal only for want of cycles (fixed-latency distances, set-to-wait, issue
// floors, yield at stall 1) raises the stall counts it needs in the same mutation. And the reverse: stalls
// that an edit left higher than they must be are lowered as far as is legal.
//
//   auto m = add_required_stalls(checker, legal, Mutation::move_before(ldg, hmma));
//   m->text(kernel)      // "move LDG 0x0a30 before HMMA 0x0980, paying 3 cycles on IADD3 0x0970"
//   auto less = remove_excess_stalls(checker, legal, *m);     // "..., refunding 2 cycles on HMMA 0x0980"
//
// Cycles are inserted right in front of the instruction that needs them, from the block's start to its end:
// for a fixed order that gives the earliest issue of every instruction. Where one stall count is full (11, or
// 15 with yield) the next one back takes the rest. What comes out is legal by HazardChecker::allows.
#pragma once
#include <functional>
#include <limits>
#include <optional>

#include "core/analysis/hazard_checker.h"

namespace cubinlab {

struct StallRepairSettings {
    // Whose stall count may change; empty: everybody's. An instruction whose stall count the mutation itself
    // sets never pays.
    std::function<bool(InstrId)> may_change;
    int max_cycles = 32;  // cycles in all; more is refused
};

// The mutation with the stall counts it needs behind its own edits; itself where it is legal as it is.
// Nothing: stall counts cannot make it legal. `legal` must be legal.
std::optional<Mutation> add_required_stalls(const HazardChecker& checker, const Schedule& legal,
                                            const Mutation& mutation,
                                            const StallRepairSettings& settings = {});

// The mutation (legal) with stall counts lowered behind its own edits: of what it moved, of what stood before
// it at either place, and of what follows it there. Itself where nothing can be lowered.
Mutation remove_excess_stalls(const HazardChecker& checker, const Schedule& legal, const Mutation& mutation,
                              const StallRepairSettings& settings = {});

// The stall counts of one block raised from where they stand in `schedule` until it is legal; `legal` differs
// from it in this block alone. Nothing: stall counts cannot make it legal, or not in fewer than `below` cycles.
std::optional<Schedule> raise_block_stalls(const HazardChecker& checker, const Schedule& legal,
                                           Schedule schedule, BlockId block,
                                           const std::function<bool(InstrId)>& may_change = {},
                                           int below = std::numeric_limits<int>::max());

// Stall cycles that a mutation adds, all in all; negative: removes.
int stall_change(const Mutation& mutation);

}  // namespace cubinlab
