// SPDX-License-Identifier: GPL-3.0-or-later
// Moves an instruction together with the instructions that block it, for example a whole address chain.
//
//   auto m = move_along(checker, legal, lea, 12);    // LEA 0x0b50 to position 12, with the two IADD3 it reads
//   auto repaired = add_required_stalls(checker, legal, *m);    // see payment.h
//
// Only order is checked; distances, waits and reuse flags need HazardChecker.
#pragma once
#include <optional>

#include "core/legality/hazard_checker.h"

namespace cubinlab {

inline constexpr std::size_t kMostAlong = 8;  // instructions in addition to the moved one

// One mutation of moves, each applicable in turn. The additional instructions are as few as possible, keep their
// order and stay next to their producers or consumers. Nothing: `to` is the current position or in another block,
// a pinned instruction is in the way, or more than kMostAlong are needed.
std::optional<Mutation> move_along(const HazardChecker& checker, const Schedule& legal, InstrId id, Position to);

}  // namespace cubinlab
