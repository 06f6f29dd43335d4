// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor groups of sm_90 run on behind the warp's back: a wgmma reads its A registers and writes its
// accumulators until the WARPGROUP.DEPBAR that retires its group. This rule proves, over every path, that
// nothing but another wgmma touches them before. Used for code that stands alone; against an original the
// order rules keep what this proves. Internal to core/analysis.
//
//   HGMMA R24, ... gsb0      commits a group (bits 84-86 name the counter, 7: none yet)
//   WARPGROUP.DEPBAR.LE gsb0, N   at most the N youngest groups still run
#pragma once
#include "core/analysis/finding.h"

namespace cubinlab {

// True: stop.
bool check_wgmma_retirement(const Schedule& schedule, Findings& findings);

}  // namespace cubinlab
