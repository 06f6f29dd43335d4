// SPDX-License-Identifier: GPL-3.0-or-later
// How many passes each loop of a kernel makes in a launch, where that follows from the code and the launch: the
// integer code that decides its branches is run, loop by loop, on what is known. Loops in loops, unrolled loops with
// their rest, counts downwards and by factors come out as they are; a loop whose end depends on a value from memory does not.
// What depends on the thread or the block is looked at for the first and the last of both, and known where these agree.
//
//   const auto counts = trip_counts(kernel, launch);
//   loops_of(kernel, 16, trips_by_header(kernel, counts));
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/model/launch_values.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct TripCount {
    BlockId header = 0;
    bool known = false;
    bool of_ends =
        false;  // depends on the thread or block, and is the same for the first and the last of both
    // Passes for each time that the loop is entered, fewest, most and the mean. All 0: never entered, or left at once.
    std::uint64_t least = 0, most = 0;
    double trips = 0;
    InstrId branch = kNone;  // where not known: that leaves the loop
    std::string why;         // where not known: what it depends on, "threadIdx"
};

// One for each natural loop, by header; none where a kernel has more than 1,000.
std::vector<TripCount> trip_counts(const Kernel& kernel, const LaunchValues& launch);

// By header block, for TraceShape: 0 where not known, kNeverEntered where it makes no pass.
inline constexpr int kNeverEntered = -1;
std::vector<int> trips_by_header(const Kernel& kernel, std::span<const TripCount> counts);

// "32 passes", "8 to 32 passes, 20 on average", "makes no pass", "16 passes assumed: BRA 0x13d0 depends on threadIdx".
std::string text_of(const Kernel& kernel, const TripCount& count, int assumed);

}  // namespace cubinlab
