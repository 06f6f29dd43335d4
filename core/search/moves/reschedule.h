// SPDX-License-Identifier: GPL-3.0-or-later
// A block rescheduled at one stroke, for the hand: its stall counts as low as they go, or its instructions in the
// best order that a list scheduler finds by the SM model. Proven by the checker like any candidate. What the model
// says is no measurement.
#pragma once
#include <span>
#include <stop_token>

#include "core/legality/reorder.h"
#include "core/model/sm_model.h"

namespace cubinlab {

struct Rescheduled {
    Schedule schedule;
    int stall_before = 0, stall_after = 0;  // stall counts of the blocks, all in all: as `diff` adds them
    int cycles_before = 0,
        cycles_after = 0;  // of the blocks, a stall count of 0 for the cycles that it takes
    double model_before = 0, model_after = 0;  // modelled cycles of the kernel; 0: not asked
    int orders = 0, legal = 0;                 // that were tried
};

// Refused: they are the least already, or the proof ties them.
Result<Rescheduled> tighten_blocks(const HazardChecker& checker, const Schedule& legal,
                                   std::span<const BlockId> blocks, const ReorderSettings& settings = {});

// The order of the fewest modelled cycles among `tries`, deterministic. Refused: the block has too few instructions
// or too many, no order could be made legal, or none is faster by the model; the text says which.
Result<Rescheduled> reschedule_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                     const SmModelSettings& model, const ReorderSettings& settings,
                                     std::stop_token stop, int tries = 120);

}  // namespace cubinlab
