// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a winner's edits carry its gain? Starts from the net difference between original and winner (not
// from the log), drops ever smaller groups of edits while the gain stays, and ends when no single edit can
// go. Delta debugging in the manner of Zeller and Hildebrandt (IEEE TSE 2002), with "the gain is kept" as the
// test.
#pragma once
#include <cstdint>
#include <stop_token>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct MinimiseSettings {
    double keep = 0.95;  // share of the winner's log speed-up that must stay
};

struct Minimised {
    Schedule schedule;
    Mutation edits;                // from the original to `schedule`
    std::size_t edits_before = 0;  // of the winner
    std::uint64_t evaluations = 0;
    Outcome outcome;  // of `schedule` against the original, Effort::Confirm
    Outcome winner;   // of the winner against the original, Effort::Confirm
};

// `winner` must be legal. Refused if the winner shows no gain to begin with.
Result<Minimised> minimise(const CheckerPtr& checker, Evaluator& evaluator, const Schedule& winner,
                           const MinimiseSettings& settings, std::stop_token stop);

}  // namespace cubinlab
