// SPDX-License-Identifier: GPL-3.0-or-later
// How many passes each loop of a kernel makes in a launch, where every branch that leaves it follows from constants and scalar
// parameters. A loop whose end depends on the thread, on the block, on a value from memory or on an outer loop has no count.
//
//   settings.trips = trip_counts(kernel, launch);
//   SmModel(kernel, settings);
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/launch_values.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct TripCount {
    BlockId header = 0;
    bool known = false;
    std::uint64_t passes = 0;  // each time that the loop is entered
    InstrId branch = kNone;    // where not known: that leaves the loop
    std::string why;           // where not known: what it depends on, "threadIdx"
};

// One for each natural loop, by header; none where a kernel has more than 1,000.
std::vector<TripCount> trip_counts(const Kernel& kernel, const LaunchValues& launch);

// By header block, for make_trace(): 0 where not known, kNeverEntered where it makes no pass.
inline constexpr int kNeverEntered = -1;
std::vector<int> trips_by_header(const Kernel& kernel, std::span<const TripCount> counts);

// "32 iterations", "no iteration", "assuming 16 iterations: BRA 0x13d0 depends on threadIdx".
std::string text_of(const Kernel& kernel, const TripCount& count, int assumed);

}  // namespace cubinlab
