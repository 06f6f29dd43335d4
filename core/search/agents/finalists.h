// SPDX-License-Identifier: GPL-3.0-or-later
// The claims of a run. A searcher that decides by noisy estimates offers its best schedules here. During the
// search a claim is due from time to time, so that a killed run has a result. At the end the best few are
// measured once more in the same way and claimed in that order until the best of all is confirmed. The
// largest of many estimates is too large: so the end uses its own measurements, and a claim replaces an estimate
// outside its interval.
#pragma once
#include <optional>
#include <vector>

#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/search_point.h"

namespace cubinlab {

// The estimate of a schedule after a claim: the mean of estimate (weight 1) and confirmation (weight 2); the
// confirmation alone if the estimate lies outside its interval; -1 if the schedule failed.
double after_claim(double estimate, const Outcome& claim);

class Finalists {
  public:
    explicit Finalists(Schedule start) : start_(std::move(start)) {}

    // `point.speedup.log` is an estimate. The same words again: the later estimate holds.
    void offer(const SearchPoint& point);
    // Nothing is due from now on: somebody else claims.
    void disable_claims() { claims_ = false; }
    // The claim of `point` if its estimate has grown enough since the last claim.
    std::optional<Proposal> claim_if_due(const SearchPoint& point);
    // Observes a claim. Returns the new estimate of its schedule.
    double seen_claim(const Proposal& proposal, const Observation& seen);
    // The best by estimate; null: none was offered.
    const SearchPoint* best() const { return entries_.empty() ? nullptr : &entries_.front().at; }

    // For Searcher::close() and the observations of its proposals.
    std::vector<Proposal> close();
    bool closing() const { return stage_ != Stage::Open; }
    void observe_closing(const std::vector<Observation>& observations);

  private:
    static constexpr std::size_t kMost = 4;
    static constexpr double kGrowth = 0.005;  // log speed-up between two claims
    enum class Stage { Open, Measured, Claiming };
    struct Entry {
        SearchPoint at;
        Hash128 hash;
        bool confirmed = false;  // the best of the run
        bool claimed = false;    // in this close()
    };
    Proposal proposal(const SearchPoint& point, const MeasureRequest& request) const;
    void sort();

    Schedule start_;
    std::vector<Entry> entries_;  // best estimate first; the confirmed one is never dropped
    double claimed_ = 0;          // the estimate after the last claim
    bool claims_ = true;
    Stage stage_ = Stage::Open;
    std::vector<Proposal> pending_;
};

}  // namespace cubinlab
