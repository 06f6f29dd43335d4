// SPDX-License-Identifier: GPL-3.0-or-later
// How far up an instruction can move, up to a limit. HazardChecker::slots takes time quadratic in the number
// of passed instructions: minutes for the loads of a block of 10,000 instructions.
//
//   const Position up = std::min(room_above(checker, schedule, id, 6), Position{6});
#pragma once
#include "core/legality/hazard_checker.h"

namespace cubinlab {

// Distance from the current position up to the lowest legal slot, or to the first one found at least `enough`
// positions up; 0: it cannot move up. Positions between may be illegal. `legal` must be legal.
Position room_above(const HazardChecker& checker, const Schedule& legal, InstrId id, Position enough);

}  // namespace cubinlab
