// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a schedule, in sentences for engineers.
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
    MemoryOrder,    // accesses that may overlap changed order
    FenceOrder,     // something crossed a fence, barrier or marker
    AsyncGroup,     // LDGSTS / LDGDEPBAR / DEPBAR, wgmma, TMA, mbarrier order
    WarpOrder,      // warp-wide or convergence operation crossed a divergence point
    Reuse,          // a reuse flag that may deliver a stale operand
    StallYield,     // stall >= 12 without yield, stall 0, yield at stall 1
    Pinned,         // the word cannot move
    Dependence,     // a producer and its consumer changed order
    Structure,      // not a reschedule of the original (different words or blocks)
    UnknownOpcode,  // an undecoded instruction would be crossed or moved
    Field,          // a rewritten field has a value that the instruction cannot have
};
const char* to_string(Rule rule);  // "raw-distance"
const char* title_of(Rule rule);   // "Read too early after a fixed-latency write"

struct Hazard {
    Rule rule = Rule::Structure;
    InstrId earlier = kNone;  // producer, or the instruction that must come first
    InstrId later = kNone;
    int need = 0;             // required cycles; 0 if the rule has none
    int have = 0;             // actual cycles
    std::string resource;     // "R4", "P0", "UR6", "SB2", "shared", "order"
    // A sentence with mnemonics, offsets and a remedy. Offsets are those of the original, which do not change
    // when instructions move.
    std::string explanation;
};

using Legality = std::vector<Hazard>;  // empty: legal
// The explanation with instructions named by `name`, for views that show another order than the original.
std::string explanation_by(const Hazard& hazard, const std::function<std::string(InstrId)>& name);
std::string summary_of(const Legality& hazards);  // "(2 findings): " and the first explanation

}  // namespace cubinlab
