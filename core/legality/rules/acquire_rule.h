// SPDX-License-Identifier: GPL-3.0-or-later
// An acquiring load or atomic is followed by CCTL.IVALL, which invalidates the L1 cache so that later loads
// do not hit older data. CCTL.IVALL must issue after the access completes, even if no register is waited for.
// Internal to core/legality.
//
//   LD.E.STRONG.GPU R0, [R2]   {sets SB2} ; CCTL.IVALL {waits for SB2} ; LDG.E R4, [R6]
#pragma once
#include <vector>

#include "core/isa/arch.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

bool invalidates_cache(const Instruction& instruction);  // CCTL.IVALL

// Minimum cycles from CCTL.IVALL to the next access of memory that the L1 cache may hold (LDS may follow at
// 3, SYNCS and TLD at 1), and to any other instruction.
bool waits_for_invalidate(const Instruction& instruction);
int invalidate_to_memory_floor(const Arch& arch, CheckMode mode);
int invalidate_floor(const Arch& arch);

struct Acquire {
    InstrId access = kNone;
    InstrId invalidate = kNone;
};
// For each CCTL.IVALL, the last strong access with a result before it on every path, unless a fence, another
// CCTL.IVALL, a cluster barrier or a wait for a bulk copy is between.
std::vector<Acquire> acquires_of(const Kernel& kernel);

}  // namespace cubinlab
