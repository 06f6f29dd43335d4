// SPDX-License-Identifier: GPL-3.0-or-later
// How far up an instruction may go, looked for no farther than is asked: all slots of one instruction
// (HazardChecker::slots) take time by the square of what it could pass, which is minutes for the loads of a block of
// ten thousand instructions.
//
//   const Position up = std::min(room_above(checker, schedule, id, 6), Position{6});
#pragma once
#include "core/analysis/hazard_checker.h"

namespace cubinlab {

// Places from where it stands up to its lowest legal slot, or to the first legal one found that is at least `enough`
// places up; 0: it may not go up. Some places in between may be illegal. `legal` must be legal.
Position room_above(const HazardChecker& checker, const Schedule& legal, InstrId id, Position enough);

}  // namespace cubinlab
