// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/finalists.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr Look kCloser{Effort::Promote, {10, 6}};
constexpr Look kClaim{Effort::Confirm, {}};

}  // namespace

Proposal Finalists::proposal(const Standing& standing, const Look& look) const {
    return {0, difference(start_, standing.schedule), standing.schedule, false, look};
}

void Finalists::offer(const Standing& standing) {
    const Hash128 hash = standing.schedule.hash();
    if (hash == start_.hash()) return;
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.hash == hash; });
    if (known != entries_.end())
        known->at.log_speedup = standing.log_speedup;
    else
        entries_.push_back({standing, hash, false});
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.at.log_speedup > b.at.log_speedup; });
    for (std::size_t i = entries_.size(); i-- > 0 && entries_.size() > kMost;)
        if (!entries_[i].confirmed) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
}

std::optional<Proposal> Finalists::claim_if_due(const Standing& standing) {
    if (standing.log_speedup < claimed_ + kGrowth || standing.schedule == start_) return std::nullopt;
    claimed_ = standing.log_speedup;
    offer(standing);
    return proposal(standing, kClaim);
}

void Finalists::seen_claim(const Proposal& proposal, const Observation& seen) {
    const Hash128 hash = proposal.result.hash();
    for (Entry& entry : entries_) {
        const bool same = entry.hash == hash;
        if (seen.best) entry.confirmed = same;
        if (!same) continue;
        // A confirmation is the better half of what is known of it; what fails is never offered again.
        double& value = entry.at.log_speedup;
        value = seen.outcome.ok() ? (value + 2 * seen.outcome.log_speedup) / 3 : -1;
    }
}

std::vector<Proposal> Finalists::close() {
    pending_.clear();
    if (stage_ == Stage::Open && !entries_.empty()) {
        for (const Entry& entry : entries_)
            pending_.push_back(proposal(entry.at, kCloser));
        stage_ = Stage::Measured;
        // A single one that is confirmed already has nobody to be compared with.
        if (entries_.size() == 1 && entries_.front().confirmed) pending_.clear();
    } else if (stage_ == Stage::Claiming) {
        const bool over =
            next_ >= entries_.size() || entries_[next_].confirmed || entries_[next_].at.log_speedup <= 0;
        if (!over) pending_.push_back(proposal(entries_[next_++].at, kClaim));
    }
    if (pending_.empty()) stage_ = Stage::Done;
    std::vector<Proposal> out = pending_;
    if (stage_ == Stage::Done) stage_ = Stage::Open;
    return out;
}

void Finalists::observe_closing(const std::vector<Observation>& observations) {
    const std::size_t count = std::min(observations.size(), pending_.size());
    if (stage_ == Stage::Measured) {
        for (std::size_t i = 0; i < count && i < entries_.size(); ++i) {
            const Outcome& outcome = observations[i].outcome;
            double& value = entries_[i].at.log_speedup;
            value = outcome.ok() ? kFreshWeight * outcome.log_speedup + (1 - kFreshWeight) * value : -1;
        }
        std::stable_sort(entries_.begin(), entries_.end(),
                         [](const Entry& a, const Entry& b) { return a.at.log_speedup > b.at.log_speedup; });
        next_ = 0;
        stage_ = Stage::Claiming;
    } else if (stage_ == Stage::Claiming && count > 0) {
        seen_claim(pending_[0], observations[0]);
        if (observations[0].best) next_ = entries_.size();
    }
    pending_.clear();
}

}  // namespace cubinlab
