// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/finalists.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr MeasureRequest kFinalRequest{Effort::Refine, {10, 6}};
constexpr MeasureRequest kClaim{Effort::Confirm, {}};

}  // namespace

double after_claim(double estimate, const Outcome& claim) {
    if (!claim.ok()) return -1;
    if (estimate < claim.speedup.low || estimate > claim.speedup.high) return claim.speedup.log;
    return (estimate + 2 * claim.speedup.log) / 3;
}

Proposal Finalists::proposal(const SearchPoint& point, const MeasureRequest& request) const {
    return {0, difference(start_, point.schedule), point.schedule, false, request};
}

void Finalists::sort() {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.at.speedup.log > b.at.speedup.log; });
}

void Finalists::offer(const SearchPoint& point) {
    const Hash128 hash = point.schedule.hash();
    if (hash == start_.hash()) return;
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.hash == hash; });
    if (known != entries_.end())
        known->at.speedup.log = point.speedup.log;
    else
        entries_.push_back({point, hash});
    sort();
    for (std::size_t i = entries_.size(); i-- > 0 && entries_.size() > kMost;)
        if (!entries_[i].confirmed) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
}

std::optional<Proposal> Finalists::claim_if_due(const SearchPoint& point) {
    if (!claims_ || point.speedup.log < claimed_ + kGrowth || point.schedule == start_)
        return std::nullopt;
    claimed_ = point.speedup.log;
    offer(point);
    return proposal(point, kClaim);
}

double Finalists::seen_claim(const Proposal& proposal, const Observation& seen) {
    const Hash128 hash = proposal.result.hash();
    double revised = after_claim(claimed_, seen.outcome);
    for (Entry& entry : entries_) {
        const bool same = entry.hash == hash;
        if (seen.best) entry.confirmed = same;
        if (!same) continue;
        revised = entry.at.speedup.log = after_claim(entry.at.speedup.log, seen.outcome);
        entry.claimed = closing();
    }
    if (seen.outcome.ok()) claimed_ = std::max(0.0, revised);
    sort();
    return revised;
}

std::vector<Proposal> Finalists::close() {
    pending_.clear();
    if (stage_ == Stage::Open) {
        // A single confirmed schedule needs no comparison.
        const bool settled = entries_.size() == 1 && entries_.front().confirmed;
        for (Entry& entry : entries_) {
            entry.claimed = false;
            if (!settled) pending_.push_back(proposal(entry.at, kFinalRequest));
        }
        stage_ = Stage::Measured;
    } else if (stage_ == Stage::Claiming) {
        for (const Entry& entry : entries_) {
            if (entry.confirmed || entry.at.speedup.log <= 0) break;
            if (entry.claimed) continue;
            pending_.push_back(proposal(entry.at, kClaim));
            break;
        }
    }
    if (pending_.empty()) stage_ = Stage::Open;
    return pending_;
}

void Finalists::observe_closing(const std::vector<Observation>& observations) {
    const std::size_t count = std::min(observations.size(), pending_.size());
    if (stage_ == Stage::Measured) {
        for (std::size_t i = 0; i < count && i < entries_.size(); ++i) {
            const Outcome& outcome = observations[i].outcome;
            double& value = entries_[i].at.speedup.log;
            if (!outcome.ok())
                value = -1;
            else
                value = entries_[i].confirmed ? (outcome.speedup.log + value) / 2 : outcome.speedup.log;
        }
        sort();
        stage_ = Stage::Claiming;
    } else if (stage_ == Stage::Claiming && count > 0) {
        seen_claim(pending_[0], observations[0]);
    }
    pending_.clear();
}

}  // namespace cubinlab
