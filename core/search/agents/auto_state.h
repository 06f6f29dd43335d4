// SPDX-License-Identifier: GPL-3.0-or-later
// What `auto` does, in plain words: for whoever watches it, and, made again from the figures that it logs after each of
// its turns, for whoever looks at the run later.
//
//   "after race 2: climb from +4.1 %, tries edits one after the other; best believed +4.1 %, nothing better for 1200
//    measurements, begun anew once, brought by group tests +2.7 %, climb +1.4 %"
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
    // Own: greedy on its own way; what it brings counts as greedy's.
    enum Method : std::size_t { Group, Climb, List, Greedy, Own };
    static constexpr std::size_t kMethods = 4;  // that bring something

    int race = 1;            // each begins from the start anew
    std::size_t starts = 1;  // still in the race; 1: it is over
    std::size_t method = Group;
    double from = 0,
           best = 0;  // log speed-up of what the method goes on from, and believed of the best of all
    std::uint64_t since_better = 0;          // measurements
    std::array<double, kMethods> brought{};  // log speed-up of the best that each method added
    double given = 0;  // the same, of the schedules that the race was given to begin from

    std::vector<SearchMetric> metrics() const;
    std::string text() const;
    // Of the figures of one turn, by name; empty where they are not all there (another agent, an older version).
    static std::optional<AutoState> from_metrics(
        std::span<const std::pair<std::string_view, double>> metrics);
};

}  // namespace cubinlab
