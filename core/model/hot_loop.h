// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel spends its issue slots, estimated from the code: its natural loops, the passes of each, and the innermost
// loop with most slots, the hot loop.
//
// A loop makes `trips` passes unless its count is known. A branch inside a loop goes either way half of the time; a way out
// of the middle of a loop is taken once in `trips`. A loop that only waits (for an mbarrier, a flag, a lock) makes one pass,
// and so does one that ends by a compare-and-swap that succeeds. A loop that only stores (fills an array with zeros) is hot
// only where no other loop works and the code outside of loops has fewer slots. An asynchronous matrix instruction counts
// as 32 slots; otherwise the warps that only load its operands would outweigh it. Unreached code, such as the padding after
// the last EXIT, is in no loop.
#pragma once
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

struct CodeLoop {
    BlockId header = 0;
    std::vector<BlockId> blocks;  // of the natural loop, inner loops included, in address order
    std::uint32_t depth = 1;      // 1: in no other loop
    std::uint32_t instructions = 0;
    bool only_waits = false;
    bool only_fills = false;
    bool innermost = true;  // holds no loop but such as only wait or fill
    double slots = 0;       // issue slots of a warp that are estimated for it, all passes together
    bool works() const { return !only_waits && !only_fills; }
};

struct LoopNest {
    std::vector<CodeLoop> loops;  // by header
    double outside = 0;           // issue slots of a warp that are in no loop
    // The innermost loop with most estimated slots; null where a pass is best taken as the whole path.
    const CodeLoop* hot() const;
};

// `trips_of`: passes by header block where they are known, 0 where `trips` are assumed, below where the loop makes none
// (core/model/trip_counts.h).
LoopNest loops_of(const Kernel& kernel, int trips, const std::vector<int>& trips_of = {});

// The block to look at first: the largest of the hot loop's; without a loop, the largest that is reached.
BlockId hot_block(const Kernel& kernel, const std::vector<int>& trips_of = {});

}  // namespace cubinlab
