// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/known_outcomes.h"

namespace cubinlab {

void KnownOutcomes::remember(const Hash128& hash, StepId step, const Outcome& outcome, bool settled) {
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

const Outcome* KnownOutcomes::find(const Hash128& hash, bool promote) const {
    const auto found = outcomes_.find(hash);
    if (found == outcomes_.end() || (promote && !found->second.settled)) return nullptr;
    return &found->second.outcome;
}

}  // namespace cubinlab
