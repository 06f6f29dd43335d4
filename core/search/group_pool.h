// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of edits that a round of group tests draws (core/search/group_searcher.cpp): what the last round left promising, a
// sweep of what usually pays, and edits drawn by the classes that have paid; or, now and then, what was changed since the
// start, taken back. It hangs on nothing but the schedule that it is from and what is handed in here, so that pools of several
// schedules can be drawn while it is not yet known which one the search goes on from.
#pragma once
#include <array>
#include <vector>

#include "core/search/group_round.h"

namespace cubinlab {

struct PoolSource {
    const Neighbourhood& around;
    const HazardChecker& checker;
    const Schedule& start;                           // of the run
    const std::vector<PoolEdit>& carried;            // promising, not sure
    const std::array<double, kEditClasses>& credit;  // what each class has paid
    std::size_t size = 0;                            // edits, at most
};

// A pool, and where the random numbers and the sweep stand after it.
struct PoolDraft {
    Hash128 of;               // the schedule that it is from
    bool takes_back = false;  // it holds what was changed, back as the start has it
    std::vector<PoolEdit> pool = {};
    Rng rng{0};
    std::size_t swept = 0;
};

// `takes_back`: where enough was changed.
PoolDraft draft_pool(const PoolSource& source, const Schedule& from, bool takes_back, const Rng& rng,
                     std::size_t swept);

}  // namespace cubinlab
