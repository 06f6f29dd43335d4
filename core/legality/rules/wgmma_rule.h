// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma of sm_90 is asynchronous: it reads its A registers and writes its accumulators until the
// WARPGROUP.DEPBAR that retires its group. This rule proves over every path that only wgmmas access them
// before. It is used in absolute mode; against an original the order rules are sufficient. Overwritten A registers
// are no finding: ptxas before 13.3 emits such code (Triton pull request 11781, issue 9433). Internal to
// core/legality.
//
//   HGMMA R24, ... gsb0      commits a group (bits 84-86 select the counter, 7: does not commit)
//   WARPGROUP.DEPBAR.LE gsb0, N   at most the N youngest groups are still running
#pragma once
#include "core/legality/finding.h"

namespace cubinlab {

// Returns true to stop the check.
bool check_wgmma_retirement(const Schedule& schedule, Findings& findings);

// A register of A that an instruction overwrites while the wgmma may still read it.
struct WgmmaReuse {
    InstrId wgmma = kNone;
    InstrId writer = kNone;
    RegIndex reg = 0;
};
std::vector<WgmmaReuse> reused_wgmma_registers(const Schedule& schedule);

}  // namespace cubinlab
