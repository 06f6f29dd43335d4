// SPDX-License-Identifier: GPL-3.0-or-later
// Proposals of cache hints: an eviction priority for many instructions at once. Whole-kernel settings come first, because
// few instructions of a kernel gain alone; then the accesses of one pointer in one loop; then single instructions. L2
// prefetch sizes have shown no gain and are for edits by hand.
//
//   for (const HintTarget& target : hint_targets(scope, HintLevel::Group))
//       if (auto edited = with_eviction(*checker, schedule, target, Eviction::First)) ...
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/sass/cache_hint.h"
#include "core/search/moves/neighbourhood.h"

namespace cubinlab {

enum class HintLevel : std::uint8_t { Kernel, Group, Instruction };

using HintTarget = std::vector<InstrId>;  // ascending, not empty

// The priorities that proposals set; normal undoes a compiler's hint.
inline constexpr std::array kProposedEvictions = {Eviction::First, Eviction::Last, Eviction::NoAllocate,
                                                  Eviction::Unchanged, Eviction::Normal};

// The editable loads and stores with an eviction priority, those in deeper loops first. Kernel: all, the loads, the stores.
// Group: by pointer parameter (the base register where it is not known), loop, and load or store.
std::vector<HintTarget> hint_targets(const EditScope& scope, HintLevel level);

// The priority set on each instruction of the target that can have it; empty: that changes nothing.
std::optional<Edited> with_eviction(const HazardChecker& checker, const Schedule& schedule,
                                    const HintTarget& target, Eviction eviction);

}  // namespace cubinlab
