// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas puts three loads that never execute in front of the first LDGSTS of a batch, on every architecture
// that has LDGSTS. They do nothing for the program, so they answer to a fault of the hardware: they stay
// together, right in front of what they stand for, with their cycles. Internal to core/analysis.
//
//   @!PT LDS RZ, [RZ]
//   @!PT LDS RZ, [RZ]
//   @!PT LDS RZ, [RZ]
//        LDGSTS.E.128 [R105], desc[UR12][R26.64]
#pragma once
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

class WorkaroundLoads {
  public:
    explicit WorkaroundLoads(const Kernel& kernel);
    // Nothing may come between this instruction and the next of the original.
    bool tied(InstrId id) const { return any_ && tied_[id]; }
    bool any() const { return any_; }

  private:
    std::vector<bool> tied_;
    bool any_ = false;
};

}  // namespace cubinlab
