// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest legal schedule to an illegal one: what another tool, or an older set of rules, found fast is
// not thrown away for a handful of edits. The edits of the illegal schedule are put on the original one at a
// time, moves first; a move that only lacks cycles pays for them; a control code that is not legal as a whole
// is taken as far as it is. What comes out was proven legal at every step.
//
//   auto repaired = repair(checker, bad);
//   repaired->schedule          // legal
//   repaired->changes           // from `bad` to it: what had to give way
#pragma once
#include "core/legality/hazard_checker.h"

namespace cubinlab {

struct Repaired {
    Schedule schedule;
    Mutation changes;              // from the illegal schedule to the repaired one
    std::size_t edits_wanted = 0;  // of the illegal schedule against the original
    std::size_t edits_kept = 0;    // of the repaired one against the original
    Legality hazards;              // of the illegal schedule; empty: it was legal and stays as it is
};

// Errors: Refused where the original itself is not legal.
Result<Repaired> repair(const HazardChecker& checker, const Schedule& bad);

}  // namespace cubinlab
