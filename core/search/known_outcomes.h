// SPDX-License-Identifier: GPL-3.0-or-later
// Outcomes of words seen before, without raw samples. Only so many are kept, the oldest go first: a run of
// millions of steps takes no more memory than a short one, and forgets in the same order when it is resumed.
#pragma once
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "core/search/search_state.h"

namespace cubinlab {

class KnownOutcomes {
  public:
    // `step`: whose outcome it is. `settled`: the words could have become best, so that nothing is to be gained by
    // evaluating them again. Words that were only tested are replaced when they are put up for the run's best.
    void remember(const Hash128& hash, StepId step, const Outcome& outcome, bool settled = true);
    // Null: not seen, or forgotten, or only tested and now put up for the run's best.
    const Outcome* find(const Hash128& hash, bool promote) const;
    // The step that the outcome of a known schedule is of.
    StepId step_of(const Hash128& hash) const { return outcomes_.at(hash).step; }

    // The steps only: outcomes are read from the log again. Step 0 is the start, which must be known already.
    void save(StateWriter& out) const;
    // In place of everything known but the start. What is wrong is told to `in`.
    void restore(StateReader& in, RunHistory& history);

  private:
    struct Entry {
        Outcome outcome;
        StepId step = 0;
        bool settled = true;
    };
    static constexpr std::size_t kMost = std::size_t{1} << 16;
    std::unordered_map<Hash128, Entry> outcomes_;
    std::vector<Hash128> order_;  // a ring once it is full
    std::size_t oldest_ = 0;
};

}  // namespace cubinlab
