// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the edits of a winner that give its gain. It starts from the difference between original and winner
// (not from the log), removes smaller and smaller groups of edits while the gain remains, and ends when no
// single edit can be removed. Delta debugging (Zeller and Hildebrandt, IEEE TSE 2002) with "the gain remains"
// as the test.
#pragma once
#include <cstdint>
#include <stop_token>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct MinimiseSettings {
    double keep = 0.95;  // share of the winner's log speed-up that must remain
};

struct Minimised {
    Schedule schedule;
    Mutation edits;                // from the original to `schedule`
    std::size_t edits_before = 0;  // number of edits of the winner
    std::uint64_t evaluations = 0;
    Outcome outcome;  // of `schedule` against the original, Effort::Confirm
    Outcome winner;   // of the winner against the original, Effort::Confirm
};

// `winner` must be legal. Errors: Refused if the winner has no gain.
Result<Minimised> minimise(const CheckerPtr& checker, Evaluator& evaluator, const Schedule& winner,
                           const MinimiseSettings& settings, std::stop_token stop);

}  // namespace cubinlab
