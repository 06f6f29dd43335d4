// SPDX-License-Identifier: GPL-3.0-or-later
// What the sub-core runs: the schedule's instructions with their timing, the path through them, the warps.
#pragma once
#include <cstdint>
#include <vector>

#include "core/model/timing.h"
#include "core/model/trace.h"
#include "core/sass/control_code.h"

namespace cubinlab {

// One instruction of the schedule, by position.
struct ModelOp {
    Timing timing;
    ControlCode control;
};

struct ModelProgram {
    std::vector<ModelOp> ops;  // by position
    const std::vector<Block>* blocks = nullptr;
    const std::vector<Pass>* trace = nullptr;
    std::uint64_t stagger = 0;  // cycles by which each warp starts after the one before it
    int warps = 1;
    int warps_per_block = 1;  // that meet at a BAR on this sub-core
    int memory_queue = kMemoryQueue;
    int barrier_latency = kBarrierLatency;
    // How far a sub-core may be ahead of its share of the SM's pipe to shared memory, of its path to L2, in cycles.
    int shared_burst = 0, far_burst = 0;
    int branch = 0;       // cycles on top when a pass does not begin behind the one before it
    bool oldest = false;  // of several warps that are ready the oldest goes on, not the youngest
};

}  // namespace cubinlab
