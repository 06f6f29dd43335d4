// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of edits for a round of group tests (core/search/agents/group_searcher.cpp): the uncertain edits of the last round, a
// sweep of what usually pays, and edits drawn by the classes that have paid. Now and then a pool reverts instead: its edits
// restore the start's order and control codes. The result depends only on the schedule and the arguments, so pools for
// several schedules can be drafted before the search chooses one of them.
#pragma once
#include <array>
#include <vector>

#include "core/search/agents/group_round.h"

namespace cubinlab {

struct PoolSource {
    const Neighbourhood& around;
    const HazardChecker& checker;
    const Schedule& start;                           // of the run
    const std::vector<PoolEdit>& carried;            // useful by estimate, but uncertain
    const std::array<double, kEditClasses>& credit;  // what each class has paid
    std::size_t size = 0;                            // edits, at most
};

// A pool, with the random state and the sweep position after it.
struct PoolDraft {
    Hash128 of;            // the schedule that it was drafted for
    bool reverts = false;  // its edits revert changes to the start
    std::vector<PoolEdit> pool = {};
    Rng rng{0};
    std::size_t swept = 0;
};

// `revert`: draft a reverting pool, if the schedule differs enough from the start.
PoolDraft draft_pool(const PoolSource& source, const Schedule& from, bool revert, const Rng& rng,
                     std::size_t swept);

}  // namespace cubinlab
