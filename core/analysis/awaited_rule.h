// SPDX-License-Identifier: GPL-3.0-or-later
// Completions that no register shows and that others count on: an mbarrier that has been set up, generic writes that the
// copy unit may see, a fence of a block. Their barriers are waited for by what hands the news on: in code that stands
// alone; a search keeps what the original has. And a change of the register count, in both. Internal to core/analysis.
//
//   SYNCS.EXCH.64 URZ, [UR6], UR4 {sets SB0} ; BAR.SYNC {waits for SB0}
//   FENCE.VIEW.ASYNC.S {sets SB1} ; UBLKCP.G.S [UR4], [UR8], UR9 {waits for SB1}
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/sass/arch.h"

namespace cubinlab {

// MEMBAR.CTA of sm_90, which says by a read barrier when it is done; those of wider scopes have none.
bool block_membar(const Arch& arch, const Instruction& instruction);

// With what compiled code never issues before they are complete, (setter, waiter): USETMAXREG, and in absolute mode
// FENCE.VIEW.ASYNC and SYNCS.EXCH. What the original of a search does not wait for is excused there.
std::vector<std::pair<InstrId, InstrId>> awaited_pairs(const Kernel& kernel, CheckMode mode);

// Counts work for a DEPBAR that names it, and has to have its scoreboard: LDGDEPBAR as a write barrier, UTMACMDFLUSH as
// a read barrier, both scoreboard 0.
bool counts_nothing(const Instruction& instruction, const ControlCode& control);

}  // namespace cubinlab
