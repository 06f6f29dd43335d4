// SPDX-License-Identifier: GPL-3.0-or-later
// Outcomes of evaluated schedules, without raw samples. Only the newest kMost are kept, so the memory of a
// run is bounded. A resumed run forgets them in the same order.
#pragma once
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/result/outcome.h"

namespace cubinlab {

class KnownOutcomes {
  public:
    // `step`: the step of the outcome. `settled`: the schedule could have become best, so it need not be evaluated
    // again. An outcome of a test is replaced when the schedule becomes a candidate for the best.
    void remember(const Hash128& hash, StepId step, const Outcome& outcome, bool settled = true) {
        const auto [at, fresh] = outcomes_.try_emplace(hash);
        if (!fresh && (at->second.settled || !settled)) return;
        at->second = {without_raw(outcome), step, settled};
        if (!fresh) return;
        if (order_.size() < kMost) {
            order_.push_back(hash);
            return;
        }
        outcomes_.erase(order_[oldest_]);
        order_[oldest_] = hash;
        oldest_ = (oldest_ + 1) % kMost;
    }
    // Null: not known, or only tested while `promote` asks for a candidate for the best of the run.
    const Outcome* find(const Hash128& hash, bool promote) const {
        const auto found = outcomes_.find(hash);
        if (found == outcomes_.end() || (promote && !found->second.settled)) return nullptr;
        return &found->second.outcome;
    }
    // The step of the outcome of a known schedule.
    StepId step_of(const Hash128& hash) const { return outcomes_.at(hash).step; }

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
