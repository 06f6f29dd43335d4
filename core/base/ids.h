// SPDX-License-Identifier: GPL-3.0-or-later
// Ids that remain valid when instructions move.
#pragma once
#include <cstdint>

namespace cubinlab {

using InstrId = std::uint32_t;   // index of the instruction in the ORIGINAL kernel, 0-based; never changes
using Position = std::uint32_t;  // index in a schedule's current order; byte offset = 16 * position
using BlockId = std::uint32_t;   // index of a basic block, in address order
using StepId = std::int64_t;     // step of a run, 1-based; 0 = the run's starting schedule
using RunId = std::int64_t;

inline constexpr std::uint32_t kNone = 0xffffffffu;

}  // namespace cubinlab
