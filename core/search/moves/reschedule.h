// SPDX-License-Identifier: GPL-3.0-or-later
// Reschedules whole blocks for the user: the lowest legal stall counts, or the best order of instructions
// that a list scheduler finds by the SM model. The checker proves the result like any candidate. Modelled
// cycles are not a measurement.
#pragma once
#include <span>
#include <stop_token>

#include "core/legality/reorder.h"
#include "core/model/sm_model.h"

namespace cubinlab {

struct Rescheduled {
    Schedule schedule;
    int stall_before = 0, stall_after = 0;  // sum of the stall counts of the blocks, as in `diff`
    int cycles_before = 0,
        cycles_after = 0;  // the same in cycles: a stall count of 0 counts as the cycles that it takes
    double model_before = 0, model_after = 0;  // modelled cycles of the kernel; 0: not evaluated
    int orders = 0, legal = 0;                 // number of tried orders, and of legal ones
};

// Errors: Refused if the stall counts are minimal, or the proof needs them.
Result<Rescheduled> tighten_blocks(const HazardChecker& checker, const Schedule& legal,
                                   std::span<const BlockId> blocks, const ReorderSettings& settings = {});

// The order with the fewest modelled cycles of `tries` orders; deterministic. Errors: Refused if the block has
// too few or too many instructions, no order is legal, or none is faster by the model; the message says which.
Result<Rescheduled> reschedule_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                     const SmModelSettings& model, const ReorderSettings& settings,
                                     std::stop_token stop, int tries = 120);

}  // namespace cubinlab
