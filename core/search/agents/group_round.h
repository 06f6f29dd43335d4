// SPDX-License-Identifier: GPL-3.0-or-later
// One round of group tests as it stands: the pool of edits, what was tested, the fit of it, and where the search may go
// on from here (core/search/agents/group_searcher.cpp).
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

// A test that looked good, to be looked at closer.
struct BestTest {
    Proposal proposal;
    std::vector<std::uint8_t> edits;
    double value = 0;
};

// Where the search may go on after a round.
struct GroupCandidate {
    SearchPoint at;
    std::vector<std::uint8_t> edits;
};

struct GroupRound {
    GroupPhase phase = GroupPhase::Singles;
    std::vector<PoolEdit> pool;
    std::size_t next = 0;   // single to test
    std::size_t made = 0;   // subsets tested
    std::size_t taken = 0;  // edits above the error that is asked for
    std::vector<GroupTest> tests;
    GroupFit fit;
    std::vector<std::vector<std::uint8_t>> combinations;  // to be looked at
    std::vector<GroupCandidate> candidates;
    std::vector<BestTest> best_tests;
};

}  // namespace cubinlab
