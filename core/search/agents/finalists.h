// SPDX-License-Identifier: GPL-3.0-or-later
// What a run may claim: a searcher that decides by loose estimates offers here what it believes in. While it
// searches, a claim is due now and then, so that a run that is killed has something to show; in the end the best
// few are measured once more, all alike, and the best of them by that are claimed until the best of all is the one that
// is confirmed. An estimate is the largest of many and so too large: the end goes by its own measurements, and a claim
// that falls short of what was believed is believed instead.
#pragma once
#include <optional>
#include <vector>

#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/standing.h"

namespace cubinlab {

// What is believed of a schedule after a claim of it: a confirmation is the better half of what is known, and all of it
// where the estimate lies outside its interval. What fails is never believed in again.
double after_claim(double estimate, const Outcome& claim);

class Finalists {
  public:
    explicit Finalists(Schedule start) : start_(std::move(start)) {}

    // `standing.speedup.log` is an estimate. The same words again: the later estimate holds.
    void offer(const Standing& standing);
    // Nothing is due from now on: somebody else claims.
    void disable_claims() { claims_ = false; }
    // The proposal that claims it, where its estimate has grown enough since the last claim.
    std::optional<Proposal> claim_if_due(const Standing& standing);
    // Of a claim, due or closing: what is believed of it now.
    double seen_claim(const Proposal& proposal, const Observation& seen);
    // By estimate; null: nothing is offered.
    const Standing* best() const { return entries_.empty() ? nullptr : &entries_.front().at; }

    // Searcher::close() and what came of it.
    std::vector<Proposal> close();
    bool closing() const { return stage_ != Stage::Open; }
    void observe_closing(const std::vector<Observation>& observations);

  private:
    static constexpr std::size_t kMost = 4;
    static constexpr double kGrowth = 0.005;  // log speed-up between two claims
    enum class Stage { Open, Measured, Claiming };
    struct Entry {
        Standing at;
        Hash128 hash;
        bool confirmed = false;  // the run's best
        bool claimed = false;    // in this end
    };
    Proposal proposal(const Standing& standing, const Look& look) const;
    void sort();

    Schedule start_;
    std::vector<Entry> entries_;  // best estimate first; the confirmed one is always among them
    double claimed_ = 0;          // what was believed after the last claim, held or not
    bool claims_ = true;
    Stage stage_ = Stage::Open;
    std::vector<Proposal> pending_;
};

}  // namespace cubinlab
