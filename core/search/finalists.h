// SPDX-License-Identifier: GPL-3.0-or-later
// What a run may claim: a searcher that decides by loose estimates offers here what it believes in. While it
// searches, a claim is due now and then, so that a run that is killed has something to show; in the end the best
// few are measured once more, all alike, and claimed in that order until one claim holds. A figure that was
// confirmed by luck keeps nobody out: what is claimed next is chosen by measurements that are no claims.
#pragma once
#include <optional>
#include <vector>

#include "core/search/built_in_searchers.h"

namespace cubinlab {

class Finalists {
  public:
    explicit Finalists(Schedule start) : start_(std::move(start)) {}

    // `standing.log_speedup` is an estimate. The same words again: the later estimate holds.
    void offer(const Standing& standing);
    // The proposal that claims it, where its estimate has grown enough since the last claim.
    std::optional<Proposal> claim_if_due(const Standing& standing);
    // Of a claim, due or closing.
    void seen_claim(const Proposal& proposal, const Observation& seen);

    // Searcher::close() and what came of it.
    std::vector<Proposal> close();
    void reopen() { stage_ = Stage::Open; }  // the run goes on
    bool closing() const { return stage_ != Stage::Open; }
    void observe_closing(const std::vector<Observation>& observations);

  private:
    static constexpr std::size_t kMost = 4;
    static constexpr double kGrowth = 0.005;  // log speed-up between two claims
    static constexpr double kFreshWeight = 0.75;
    enum class Stage { Open, Measured, Claiming, Done };
    struct Entry {
        Standing at;
        Hash128 hash;
        bool confirmed = false;  // the run's best
    };
    Proposal proposal(const Standing& standing, const Look& look) const;

    Schedule start_;
    std::vector<Entry> entries_;  // best estimate first; the confirmed one is always among them
    double claimed_ = 0;          // estimate at the last claim, held or not
    Stage stage_ = Stage::Open;
    std::size_t next_ = 0;  // entry to claim
    std::vector<Proposal> pending_;
};

}  // namespace cubinlab
