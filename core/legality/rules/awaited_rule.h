// SPDX-License-Identifier: GPL-3.0-or-later
// Completions that no register shows but others rely on: an initialised mbarrier, generic writes that the copy
// unit reads, a block fence. In absolute mode the instruction that signals them must wait for their barriers; a
// search keeps the original waits. Both modes check changes of the register count. Internal to core/legality.
#pragma once
#include <utility>
#include <vector>

#include "core/isa/arch.h"
#include "core/legality/hazard_checker.h"

namespace cubinlab {

// MEMBAR.CTA of sm_90 and MEMBAR.SC.CTA of sm_100, which signal completion by a read barrier; others need not.
bool block_membar(const Arch& arch, const Instruction& instruction);

// Whether `first` is MEMBAR.ALL.CTA with a stall count of 0, and `second` the MEMBAR of a wider scope that follows under the
// same guard. ptxas 13.0 makes only the second wait: in 111 of 817 pairs for sm_100, 103 and 120, the first in none.
bool issues_with(const Instruction& first, const Instruction& second);

// Pairs (setter, waiter) that compiled code never issues before the setter completes: USETMAXREG, and in absolute
// mode FENCE.VIEW.ASYNC and SYNCS.EXCH. A search excuses waits that the original does not have.
std::vector<std::pair<InstrId, InstrId>> awaited_pairs(const Kernel& kernel, CheckMode mode);

// True if an instruction that a DEPBAR counts lacks its scoreboard: LDGDEPBAR needs a write barrier,
// UTMACMDFLUSH a read barrier, both on scoreboard 0.
bool lacks_counted_scoreboard(const Instruction& instruction, const ControlCode& control);

}  // namespace cubinlab
