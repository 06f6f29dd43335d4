// SPDX-License-Identifier: GPL-3.0-or-later
// From an instruction's bits to a ScalarOp, and to the condition of a branch. Where the fields are, is told by the rows of
// core/sass/ops_*.cpp. Internal to core/model.
#pragma once
#include <optional>

#include "core/model/launch_values.h"
#include "core/model/scalar_op.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

// One thread of a launch, for code whose branches depend on which one it is.
struct ThreadPlace {
    std::array<std::uint32_t, 3> thread{}, block{};
};

// Slots are those of scalar_slot().
ScalarOp scalar_op(const Kernel& kernel, const LaunchValues& launch, const std::optional<ThreadPlace>& place,
                   InstrId id);
// Of a BRA or EXIT: its guard and what has to hold beside it. False: the instruction is neither.
bool scalar_condition(const Kernel& kernel, InstrId last, ScalarSource& guard, ScalarSource& extra);

}  // namespace cubinlab
