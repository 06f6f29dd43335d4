// SPDX-License-Identifier: GPL-3.0-or-later
// The player that searches starts: every compiler as it is, random orders of the PTX, then evolution over the orders. Its
// proposals are schedules of other kernels, so the evaluator compares each with the original.
//
//   auto searcher = std::make_unique<StartSearcher>(space, supply, seed);
//   TuneRun run(context, settings, std::move(searcher), evaluator, sink, listener);
//
// Every proposal names a start and has no parent schedule (Mutation::start). The parent of a new start is the step of the start that it was
// bred from; 0: of none, or it was measured before.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/search/engine/default_agent.h"
#include "core/search/engine/searcher.h"
#include "core/search/starts/order_learner.h"
#include "core/search/starts/start_population.h"

namespace cubinlab {

class StartSearcher final : public Searcher {
  public:
    // `supply` outlives the searcher. With `learner`, its policy builds a share of the orders around those that did
    // well; evolution draws the rest.
    StartSearcher(const KernelPtr& original, StartSpace space, StartSupply& supply, std::uint64_t seed,
                  std::shared_ptr<OrderLearner> learner = nullptr);

    std::string name() const override { return kStartsAgent; }
    std::vector<Proposal> propose(std::size_t n) override;
    ObserveResult observe(const std::vector<Observation>& observations) override;
    void prefetch(std::size_t n) override;
    std::vector<Proposal> close(std::size_t n) override;

  private:
    struct Asked {
        MeasuredStart start;
        bool is_new = false;
        std::optional<BuiltEpisode> episode = {};  // of the policy
        double base = 0;                           // log speed-up of the start that it was built around
    };
    struct DrawnStart {
        BredStart bred;
        std::optional<DrawnOrder> order;
        double base = 0;
        std::optional<BuiltEpisode> built = {};
    };
    struct Made {
        DrawnStart drawn;
        KernelPtr kernel;
    };
    void draw(std::size_t n);
    void build_drawn();
    void make_drawn();
    Proposal ask(MeasuredStart start, bool is_new, std::optional<MeasureRequest> request);
    void ask_again(std::size_t n, std::vector<Proposal>& out);

    StartSupply& supply_;
    StartPopulation population_;
    std::deque<Start> first_;           // each compiler as it is
    std::shared_ptr<OrderLearner> learner_;  // null: only evolution
    Rng shares_;                             // decides whether the policy or evolution draws the next order
    std::vector<DrawnStart> drawn_;     // decided, not compiled yet
    std::deque<Made> made_;             // compiled, not proposed yet
    std::unordered_set<Hash128> seen_;  // codes
    std::vector<Asked> asked_;          // the batch in flight
    std::size_t measured_ = 0, failed_ = 0;
    bool exact_ = false;
    int closing_ = 0;
    bool best_claimed_ = false;
    std::vector<MeasuredStart> finalists_;
};

}  // namespace cubinlab
