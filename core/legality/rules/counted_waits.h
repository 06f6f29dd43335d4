// SPDX-License-Identifier: GPL-3.0-or-later
// DEPBAR.LE SBn, N with N > 0 on a scoreboard of DMMAs or texture fetches. The results of each kind return in
// order, so all but the last N, and older ones without a barrier, are complete. ptxas uses it for accumulators:
//
//   DMMA R4 {SB5} ; DMMA R8 {SB5} ; DMMA R12 {SB5} ; DEPBAR.LE SB5, 0x2 ; DMMA R4, ..., R4
//
// Internal to core/legality.
#pragma once
#include <utility>
#include <vector>

#include "core/legality/rules/scoreboard_producers.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct CountedWaits {
    // By DEPBAR: both bits of producers that N later ones follow on the same scoreboard on every path to it.
    std::vector<std::pair<InstrId, BitRow>> done;
    // The instructions that this depends on (DEPBARs, DMMAs and fetches), sorted and unique.
    std::vector<InstrId> parts;
};
// For the original order and the original barriers.
CountedWaits counted_waits(const Kernel& kernel, const ScoreboardProducers& producers);

}  // namespace cubinlab
