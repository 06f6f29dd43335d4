// SPDX-License-Identifier: GPL-3.0-or-later
// Live registers before each instruction of a schedule, over all paths (backward data flow to a fixpoint).
// A predicated write does not end a life.
#pragma once
#include <bitset>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

struct LivePoint {
    std::bitset<256> gpr;
    std::bitset<8> pred;
    std::bitset<64> ugpr;
    std::bitset<8> upred;
};

struct Liveness {
    std::vector<LivePoint> before;  // by position: live on entry to the instruction
    std::vector<std::uint16_t>
        gpr_count;  // by position: live GPRs while it executes (live-out plus its own uses)
    std::uint16_t peak = 0;
    Position peak_at = 0;
};

Liveness compute_liveness(const Schedule& schedule);

// Registers per thread -> resident warps of an SM, and the register counts at which that number steps.
struct OccupancyStep {
    int registers = 0;  // up to this many registers...
    int warps = 0;      // ...this many warps fit
};
std::vector<OccupancyStep> occupancy_steps(const Arch& arch, int threads_per_block);

}  // namespace cubinlab
