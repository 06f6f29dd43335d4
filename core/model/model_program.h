// SPDX-License-Identifier: GPL-3.0-or-later
// What the sub-core runs: the schedule's instructions with their timing, the path through them, the warps.
#pragma once
#include <cstdint>
#include <vector>

#include "core/model/timing.h"
#include "core/model/trace.h"
#include "core/isa/control_code.h"

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
};

}  // namespace cubinlab
