// SPDX-License-Identifier: GPL-3.0-or-later
// A move past what order forbids to pass: what stands in the way goes along. An address chain goes up as a whole where
// its last instruction alone is held by the one before it.
//
//   auto m = move_along(checker, legal, lea, 12);    // LEA 0x0b50 to position 12, with the two IADD3 it reads
//   auto legal_move = add_required_stalls(checker, legal, *m);   // core/analysis/payment.h
//
// Order alone is looked at here; distances, waits and reuse flags are the checker's to say.
#pragma once
#include <optional>

#include "core/analysis/hazard_checker.h"

namespace cubinlab {

inline constexpr std::size_t kMostAlong = 8;  // instructions beside the one that is moved

// One mutation of moves, in an order in which each may be applied. Those that go along keep their order and stand
// between their own consumers or producers and what they pass; as few as order asks for. Nothing: `to` is where it
// stands or in another block, something that keeps its place is in the way, or more than kMostAlong would have to go.
std::optional<Mutation> move_along(const HazardChecker& checker, const Schedule& legal, InstrId id, Position to);

}  // namespace cubinlab
