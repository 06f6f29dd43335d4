// SPDX-License-Identifier: GPL-3.0-or-later
// What can be wrong with a schedule, in words an engineer can act on.
//
//   raw-distance: FADD 0x0120 -> FMUL 0x0130 on R4: 4 cycles needed, 2 there; raise the stall of 0x0120 by 2
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/sass/instruction.h"

namespace cubinlab {

enum class Rule : std::uint8_t {
    RawDistance,
    WarDistance,
    WawDistance,  // fixed-latency pairs closer than the table allows
    RawScoreboard,
    WarScoreboard,
    WawScoreboard,  // variable-latency pair not proven complete
    SetToWait,      // a scoreboard is waited on less than 2 cycles after it is set
    IssueFloor,     // BAR, DEPBAR, NANOSLEEP ... need a minimum stall
    MemoryOrder,    // accesses that may touch the same bytes changed order
    FenceOrder,     // something crossed a fence, barrier or marker
    AsyncGroup,     // LDGSTS / LDGDEPBAR / DEPBAR, wgmma, TMA, mbarrier order
    WarpOrder,      // warp-wide or convergence operation crossed a divergence point
    Reuse,          // a reuse flag that could deliver a stale operand
    StallYield,     // stall >= 12 without yield, stall 0, yield at stall 1
    Pinned,         // the word may not move
    Dependence,     // a producer and its consumer changed order
    Structure,      // not a reschedule of the original (other words, other block)
    UnknownOpcode,  // an instruction we cannot decode would be crossed or moved
};
const char* to_string(Rule rule);  // "raw-distance"
const char* title_of(Rule rule);   // "Read too early after a fixed-latency write"

struct Hazard {
    Rule rule = Rule::Structure;
    InstrId earlier = kNone;  // producer, or the instruction that has to come first
    InstrId later = kNone;
    int need = 0;             // cycles needed; 0 where the rule is not about cycles
    int have = 0;             // cycles there
    std::string resource;     // "R4", "P0", "UR6", "SB2", "shared", "order"
    // A sentence with mnemonics and offsets, and what would make it legal. Instructions are named by their places
    // in the original, which do not change while things move.
    std::string explanation;
};

using Legality = std::vector<Hazard>;  // empty: legal
// The explanation with its instructions called by `name`: where another order than the original's is shown.
std::string explanation_by(const Hazard& hazard, const std::function<std::string(InstrId)>& name);
std::string summary_of(const Legality& hazards);  // "(2 findings): " and the first one's explanation

}  // namespace cubinlab
