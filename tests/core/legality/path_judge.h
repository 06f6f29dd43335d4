// SPDX-License-Identifier: GPL-3.0-or-later
// A second opinion that shares no data flow with the checker: it runs a schedule along one path of the flow
// graph, word by word, and looks at every register with a clock and six counters. Results of queued
// instructions land as late as they can: only when a wait says so. What it finds is wrong on that path,
// whatever the rules say.
#pragma once
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab::test {

// Blocks from the entry, chosen at random, until an exit, an unknown place or `longest` instructions. A local routine comes
// back to the place of its call.
std::vector<BlockId> random_path(const Kernel& kernel, std::mt19937& random, std::size_t longest);

struct Violation {
    InstrId first = 0;
    InstrId second = 0;
    unsigned reg = 0;  // RegIndex
    std::string what;
    auto key() const { return std::tuple(first, second, reg, what); }
};

struct PathResult {
    std::vector<Violation> violations;
    // One hash a dynamic instruction of what it read, as a multiset per InstrId: equal schedules have equal
    // ones.
    std::vector<std::uint64_t> inputs;  // by InstrId, summed over its instances
};
PathResult judge_path(const Schedule& schedule, const std::vector<BlockId>& path);

}  // namespace cubinlab::test
