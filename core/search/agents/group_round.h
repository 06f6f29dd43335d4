// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a round of group tests: the pool of edits, the tests, their fit, and the candidates for the
// next schedule (core/search/agents/group_searcher.cpp).
#pragma once
#include <cstdint>
#include <vector>

#include "core/search/agents/group_fit.h"
#include "core/search/agents/search_point.h"
#include "core/search/engine/searcher.h"
#include "core/search/moves/neighbourhood.h"

namespace cubinlab {

enum class GroupPhase : std::uint8_t { Singles, Subsets, Combine };

struct PoolEdit {
    Mutation mutation;
    int kind = 0;      // EditClass
    bool open = true;  // not discarded
};

// A good test, to be refined.
struct BestTest {
    Proposal proposal;
    std::vector<std::uint8_t> edits;
    double value = 0;
};

// A candidate for the schedule after the round.
struct GroupCandidate {
    SearchPoint at;
    std::vector<std::uint8_t> edits;
};

struct GroupRound {
    GroupPhase phase = GroupPhase::Singles;
    std::vector<PoolEdit> pool;
    std::size_t next = 0;   // index of the next single edit to test
    std::size_t made = 0;   // number of tested subsets
    std::size_t taken = 0;  // number of edits above the required error
    std::vector<GroupTest> tests;
    GroupFit fit;
    std::vector<std::vector<std::uint8_t>> combinations;  // to be refined
    std::vector<GroupCandidate> candidates;
    std::vector<BestTest> best_tests;
};

}  // namespace cubinlab
