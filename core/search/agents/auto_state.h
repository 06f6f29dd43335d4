// SPDX-License-Identifier: GPL-3.0-or-later
// The state of `auto` as text for people. It is logged as metrics after each turn, so that a replay shows the
// same text:
//
//   "race 2 done, hill climbing from +4.1 %: one edit at a time; best estimate +4.1 %, no gain for 1200
//    measurements, restarted once, gains by group tests +2.7 %, hill climbing +1.4 %"
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

struct AutoState {
    // Own: the independent climb; its gains count as Greedy.
    enum Method : std::size_t { Group, Climb, List, Greedy, Own };
    static constexpr std::size_t kMethods = 4;  // methods with gains of their own

    int race = 1;            // each race begins at the start
    std::size_t starts = 1;  // lineages left in the race; 1: it is over
    std::size_t method = Group;
    double from = 0,
           best = 0;                         // log speed-up of the method's schedule, and the best estimate
    std::uint64_t since_better = 0;          // measurements
    std::array<double, kMethods> brought{};  // log speed-up that each method added to the best
    double given = 0;   // log speed-up of the best given start
    double hinted = 0;  // log speed-up by cache hints

    std::vector<SearchMetric> metrics() const;
    std::string text() const;
    // From the metrics of one turn; empty if one is missing (another agent, an earlier version).
    static std::optional<AutoState> from_metrics(
        std::span<const std::pair<std::string_view, double>> metrics);
};

}  // namespace cubinlab
