// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch moves through the L2, by pointer: how often each buffer is read, whether blocks share it, at which level
// the kernel is bound by memory, and which eviction priorities follow. Sizes follow from the workload and from the
// iterations of the loops, known or assumed; accesses under a guard count as if each thread made them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/sm_model.h"

namespace cubinlab {

enum class Reuse : std::uint8_t {
    Once,    // each byte, by one block
    Twice,   // by the same block in two places: a row that is read again
    Shared,  // by several blocks
    Stored,
    Unknown  // the pointer is not known
};

struct PointerTraffic {
    int param = -1;  // ordinal; -1: the pointer is not known
    Reuse reuse = Reuse::Once;
    std::vector<InstrId> accesses;  // ascending
    std::vector<InstrId> first;     // Twice: those of the first place
    double bytes = 0;               // of a launch, all threads
    double buffer = 0;              // bytes of the buffer; 0: not known
    bool hinted = false;            // one of them has another priority than evict_normal
    bool can_hint = true;           // the accesses have an eviction priority (LDGSTS has none)
    double times() const { return buffer > 0 ? bytes / buffer : 0; }
    std::string hint() const;  // "evict_first"; empty: none follows
};

struct MemoryTraffic {
    std::vector<PointerTraffic> pointers;  // the largest first
    double moved = 0;     // bytes through the L2
    double distinct = 0;  // bytes of the buffers; 0: not known, and nothing is said of DRAM
    bool assumed = false;  // an assumed number of iterations is in these
    int uncounted = 0;     // bulk copies (TMA), whose size the code does not say
    // Cycles of a launch: what DRAM and L2 take at least, and the SM model, which knows no limit of either.
    double dram_cycles = 0, l2_cycles = 0, model_cycles = 0;
    std::string verdict;  // one sentence; empty: no grid, or nothing is moved
};

// Of the kernel, whatever its order; without `model_cycles` and `verdict`.
MemoryTraffic memory_traffic(const Kernel& kernel, const SmModelSettings& settings);
// `path_cycles`: of the whole path of a schedule, by the model.
void judge(MemoryTraffic& traffic, const Kernel& kernel, const SmModelSettings& settings, double path_cycles);

// "params[0]: loads 33.6 MB, each byte once: evict_first"
std::string text_of(const PointerTraffic& pointer);

}  // namespace cubinlab
