// SPDX-License-Identifier: GPL-3.0-or-later
// How many warps share one sub-core: limits of the SM (CUDA C Programming Guide, "Technical Specifications
// per Compute Capability") and, where the grid is known, how many blocks there are for each SM at all.
#pragma once
#include <cstdint>

#include "core/binary/cubin.h"

namespace cubinlab {

inline constexpr int kMostThreadsPerBlock = 1024;  // on every architecture

struct SmLimits {
    int warps = 64;  // resident on an SM
    int blocks = 32;
    int shared_bytes = 0;     // for all blocks together
    int multiprocessors = 0;  // of the architecture's large data-centre or desktop part
};
SmLimits sm_limits(int sm);

struct Residency {
    int warps_per_block = 1;  // on one sub-core (warp w runs on sub-core w mod 4)
    int warps = 1;            // on one sub-core
};

// What each resource alone would let an SM hold, and what does: the smallest. Blocks.
struct OccupancyLimits {
    int by_registers = 0, by_shared = 0;  // by_shared 0: no shared memory, no limit
    int by_warps = 0, by_blocks = 0;
    int by_grid = 0;                                      // 0: the grid is not known
    int blocks = 1;                                       // of the grid's, too
    int warps_per_block = 1, warps = 1, most_warps = 64;  // on the SM
    const char* tightest = "";  // "registers", "shared memory", "warps", "blocks", "the grid"
};
OccupancyLimits occupancy_limits(const Arch& arch, const KernelInfo& info, int threads_per_block,
                                 std::uint32_t dynamic_shared, std::uint64_t blocks_in_grid);

Residency residency_of(const Arch& arch, const KernelInfo& info, int threads_per_block,
                       std::uint32_t dynamic_shared, std::uint64_t blocks_in_grid);

}  // namespace cubinlab
