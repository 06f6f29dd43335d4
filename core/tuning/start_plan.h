// SPDX-License-Identifier: GPL-3.0-or-later
// Which starts the schedule search takes up, and for how long: successive halving. The best starts by their own figures do not
// always end best, so several are tuned for a short time; the better half goes on.
//
//   run 1   starts                            a quarter of the budget
//   runs    auto on the best four and on the original, each a twentieth
//   runs    auto on the best two of these, each a tenth, from the schedules found
//   run     auto on the best, for the rest
//
// Each run ends with claims, which take about a second on a GPU. A budget of less than kShortTuning has two runs: starts, and
// auto on the best start, or on the original if no start seems faster by kWorthATry.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/result/budget.h"
#include "core/store/session.h"
#include "core/tuning/recorded_starts.h"

namespace cubinlab {

inline constexpr double kStartsShare = 0.25, kFirstShare = 0.05, kSecondShare = 0.10;
inline constexpr std::size_t kFirstTries = 4, kSecondTries = 2;
inline constexpr std::chrono::seconds kShortTuning{20};
inline constexpr double kWorthATry = 0.005;  // log
inline bool is_short(const Budget& whole) {
    return whole.time && *whole.time < kShortTuning;
}

// What the last run has.
inline double share_left(std::size_t first_tries, std::size_t second_tries) {
    return 1 - kStartsShare - kFirstShare * static_cast<double>(first_tries) -
           kSecondShare * static_cast<double>(second_tries);
}

// That part of a budget, at least one step or 100 ms.
Budget part_of(const Budget& whole, double share);

struct RankedStart {
    StepId step = 0;  // the first that tried it
    Hash128 code;
    double log_speedup = 0;  // against the original; shrunken (core/search/starts/start_estimate.h) unless figures are exact
};
// The starts of a run over starts that ran well, the best first; one for each code.
std::vector<RankedStart> ranked_starts(std::span<const StepRecord> steps, bool exact);

}  // namespace cubinlab
