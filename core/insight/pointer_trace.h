// SPDX-License-Identifier: GPL-3.0-or-later
// Which pointer parameter a memory access goes through, and whether its address depends on the block: found through the
// last definitions before each register, in the compiler's order.
#pragma once
#include <cstdint>
#include <functional>

#include "core/schedule/kernel.h"

namespace cubinlab {

class PointerTrace {
  public:
    explicit PointerTrace(const Kernel& kernel) : kernel_(kernel) {}

    // Null: not known.
    const KernelParam* of(InstrId access);
    // The address comes from blockIdx, as far as that is seen.
    bool depends_on_block(InstrId access);

  private:
    using Wanted = std::function<bool(const Instruction&)>;
    bool found_in_address(InstrId access, const Wanted& wanted);
    bool definition(const Operand& operand, InstrId before, const Wanted& wanted);
    bool sources(const Instruction& i, InstrId id, const Wanted& wanted);

    const Kernel& kernel_;
    int left_ = 0;  // definitions to visit
};

}  // namespace cubinlab
