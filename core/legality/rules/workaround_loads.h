// SPDX-License-Identifier: GPL-3.0-or-later
// On every architecture with LDGSTS, ptxas emits three loads that never execute before the first LDGSTS of a
// batch. They have no effect in the program, so they must be a workaround for a hardware fault: they stay
// together, directly before the LDGSTS, with unchanged cycles. Internal to core/legality.
//
//   @!PT LDS RZ, [RZ]
//   @!PT LDS RZ, [RZ]
//   @!PT LDS RZ, [RZ]
//        LDGSTS.E.128 [R105], desc[UR12][R26.64]
#pragma once
#include <vector>

#include "core/sass/dummy_load.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class WorkaroundLoads {
  public:
    explicit WorkaroundLoads(const Kernel& kernel) : tied_(kernel.size(), false) {
        for (const Block& block : kernel.flow().blocks)
            for (InstrId id = block.first; id + 1 < block.end(); ++id)
                if (is_dummy_load(kernel.instruction(id))) any_ = tied_[id] = true;
    }
    // Nothing may come between this instruction and the next one of the original.
    bool tied(InstrId id) const { return any_ && tied_[id]; }
    bool any() const { return any_; }

  private:
    std::vector<bool> tied_;
    bool any_ = false;
};

}  // namespace cubinlab
