// SPDX-License-Identifier: GPL-3.0-or-later
// A load or an atomic that acquires is followed by CCTL.IVALL, which drops what the first-level cache holds, so that
// no later load finds there what was brought in before. Nothing but that order makes it an acquire: CCTL.IVALL has to
// issue when the access is complete, also where no register is waited for. Internal to core/analysis.
//
//   LD.E.STRONG.GPU R0, [R2]   {sets SB2} ; CCTL.IVALL {waits for SB2} ; LDG.E R4, [R6]
#pragma once
#include <vector>

#include "core/sass/arch.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

bool invalidates_cache(const Instruction& instruction);  // CCTL.IVALL

// Cycles from CCTL.IVALL to the next access of memory that this cache may hold (LDS follows it at 3, SYNCS and TLD at 1), and to
// any other instruction.
bool waits_for_invalidate(const Instruction& instruction);
int invalidate_to_memory_floor(const Arch& arch);
int invalidate_floor(const Arch& arch);

struct Acquire {
    InstrId access = kNone;
    InstrId invalidate = kNone;
};
// Of each CCTL.IVALL the last strong access with a result in front of it, on every path on which no fence and no other
// CCTL.IVALL comes between: behind a fence, the barrier of a cluster or the wait for a bulk copy it belongs to that.
std::vector<Acquire> acquires_of(const Kernel& kernel);

}  // namespace cubinlab
