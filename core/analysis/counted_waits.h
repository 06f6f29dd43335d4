// SPDX-License-Identifier: GPL-3.0-or-later
// DEPBAR.LE SBn, N with N above 0 on a scoreboard that DMMAs or texture fetches set: the results of each of the two land
// in order, so that all but the N latest are there, and those in front of them that have no barrier. ptxas walks through a row of accumulators that way:
//
//   DMMA R4 {SB5} ; DMMA R8 {SB5} ; DMMA R12 {SB5} ; DEPBAR.LE SB5, 0x2 ; DMMA R4, ..., R4
//
// Internal to core/analysis.
#pragma once
#include <utility>
#include <vector>

#include "core/analysis/scoreboard_producers.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct CountedWaits {
    // By DEPBAR: both bits of those that have N later ones of their kind on the same scoreboard on every path to it.
    std::vector<std::pair<InstrId, BitRow>> done;
    // The instructions that this rests on, DEPBARs, DMMAs and fetches: sorted, each once.
    std::vector<InstrId> parts;
};
// In the kernel's own order and with its own barriers.
CountedWaits counted_waits(const Kernel& kernel, const ScoreboardProducers& producers);

}  // namespace cubinlab
