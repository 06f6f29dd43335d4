// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/known_outcomes.h"

#include <algorithm>

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

// Oldest first; each step as its distance from the one before, which is small.
void KnownOutcomes::save(StateWriter& out) const {
    out.number(order_.size());
    StepId before = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const Entry& entry = outcomes_.at(order_[(oldest_ + i) % order_.size()]);
        const StepId by = entry.step - before;
        before = entry.step;
        const auto size = static_cast<std::uint64_t>(by < 0 ? -by : by);
        out.number(size << 2 | (by < 0 ? 2u : 0u) | (entry.settled ? 1u : 0u));
    }
}

void KnownOutcomes::restore(StateReader& in, RunHistory& history) {
    struct Kept {
        StepId step;
        bool settled;
    };
    std::vector<Kept> kept;
    std::vector<StepId> steps;
    StepId at = 0;
    for (std::size_t left = in.count(1, kMost); left > 0 && in.good(); --left) {
        const std::uint64_t word = in.number(std::uint64_t{1} << 60);
        const auto by = static_cast<StepId>(word >> 2);
        at += (word & 2) != 0 ? -by : by;
        if (at < 0 || at > in.last()) in.wrong("it knows a step that the log does not have");
        kept.push_back({at, (word & 1) != 0});
        if (at != 0) steps.push_back(at);
    }
    std::sort(steps.begin(), steps.end());
    auto records = in.good() ? history.steps_at(steps) : Result<std::vector<StepRecord>>{};
    if (!records) in.wrong(records.error().message());
    if (!in.good()) return;
    if (records->size() != steps.size()) {
        in.wrong("it knows a step that the log does not have");
        return;
    }
    const auto start = std::find_if(outcomes_.begin(), outcomes_.end(),
                                    [](const auto& known) { return known.second.step == 0; });
    KnownOutcomes out;
    for (const Kept& one : kept) {
        if (one.step == 0) {
            if (start != outcomes_.end()) out.remember(start->first, 0, start->second.outcome);
            continue;
        }
        const auto record = std::lower_bound(records->begin(), records->end(), one.step,
                                             [](const StepRecord& r, StepId step) { return r.step < step; });
        out.remember(record->schedule_hash, one.step, record->outcome, one.settled);
    }
    *this = std::move(out);
}

}  // namespace cubinlab
