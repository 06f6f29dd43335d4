// SPDX-License-Identifier: GPL-3.0-or-later
// A lower bound of one pass by each resource alone, for all simulated warps of the sub-core together: issue
// port, pipes, the memory path, and, where it follows from the code, L2 and DRAM.
#pragma once
#include <string>
#include <vector>

#include "core/model/model_setup.h"

namespace cubinlab {

struct ResourceBound {
    std::string resource;  // "issue slots", "tensor pipe", "shared memory"
    double cycles = 0;
    std::string how;      // "2 warps x 24 x 6 cycles"
    bool certain = true;  // false: the worst case (DRAM, if every access misses)
};

inline constexpr double kL2Bytes = 64;  // a cycle from L2 to an SM and back

// Of the GPU that an architecture's figures are of.
struct MemoryRates {
    double dram_bytes = 0;  // a cycle of one SM's share of the memory; 0: not known
    double l2_size = 0;     // bytes
    int multiprocessors = 0;
    const char* gpu = "";
};
MemoryRates memory_rates(int sm);

// `instrs`: those of one pass. Largest first, but what is not certain last.
std::vector<ResourceBound> loop_bounds(const ModelSetup& setup, const std::vector<InstrId>& instrs);

}  // namespace cubinlab
