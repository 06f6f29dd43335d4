// SPDX-License-Identifier: GPL-3.0-or-later
// The integer side of a kernel as far as it decides branches: what its registers and predicates hold, where that
// follows from the code and the launch alone. Everything else is not known, and of what is not known it is kept
// where it came from. Internal to core/model (core/model/trip_counts.h).
//
//   ScalarCode code(kernel, launch);
//   auto state = code.unknown(Origin::Launch);
//   code.run(block, state);
//   code.condition(block, state)        // of the branch that ends the block
#pragma once
#include <optional>
#include <vector>

#include "core/model/scalar_reader.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class ScalarCode {
  public:
    ScalarCode(const Kernel& kernel, const LaunchValues& launch, std::optional<ThreadPlace> place = {});

    ScalarState unknown(Origin from) const { return ScalarState(slots_, {0, from}); }
    void run(BlockId block, ScalarState& state) const;
    // 1: the branch or EXIT that ends the block is taken, 0: not; known 1 where it has no condition.
    Scalar condition(BlockId block, const ScalarState& state) const;
    // After a call that ends the block: what the called code may write is not known any more.
    void clobber(BlockId block, ScalarState& state) const;
    std::size_t work_of(BlockId block) const { return blocks_[block].ops.size() + 4; }

  private:
    struct BlockCode {
        std::vector<ScalarOp> ops;
        ScalarSource guard, extra;  // of what ends it: both have to hold
        bool ends_by_condition = false;
        std::vector<std::int16_t> called_writes;
    };
    void find_calls(const Kernel& kernel);
    void trace_memory();
    void keep_relevant();
    template <class Visit>
    static void visit_slots(ScalarOp& op, Visit visit);
    std::size_t slots_ = 0;
    std::vector<BlockCode> blocks_;
};

}  // namespace cubinlab
