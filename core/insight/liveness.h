// SPDX-License-Identifier: GPL-3.0-or-later
// Live registers before each instruction of a schedule (backward data-flow analysis over all paths). A
// predicated write does not kill a register.
#pragma once
#include <bitset>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

struct LivePoint {
    std::bitset<256> gpr;
    std::bitset<8> pred;
    std::bitset<kUniformRegisters> ugpr;
    std::bitset<8> upred;
};

struct Liveness {
    std::vector<LivePoint> before;  // by position: live before the instruction
    std::vector<std::uint16_t>
        gpr_count;  // by position: live GPRs during execution (live-out and its operands)
    std::uint16_t peak = 0;
    Position peak_at = 0;
};

Liveness compute_liveness(const Schedule& schedule);

// Register counts at which the number of resident warps per SM changes.
struct OccupancyStep {
    int registers = 0;  // up to this many registers...
    int warps = 0;      // ...this many warps fit
};
std::vector<OccupancyStep> occupancy_steps(const Arch& arch, int threads_per_block);

}  // namespace cubinlab
