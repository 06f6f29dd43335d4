// SPDX-License-Identifier: GPL-3.0-or-later
// `ppo`: proximal policy optimisation over all kinds of edits at any legal distance (see edit_game.h,
// policy_network.cpp). Several walkers have their own schedules; a turn proposes one edit for each. A walker
// does not accept an edit that makes its schedule slower, so its return is its gain; after `horizon` turns it
// restarts from the best of the run.
//
//   reward = gain over the walker's schedule in percent, 0 if the interval of the gain includes 0,
//            at least -`loss_floor`; `failure_reward` for a failed candidate
//
// With "learning_rate": 0 the agent keeps its initial, almost uniform policy: the control experiment for
// learning.
#pragma once
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/agent/edit_game.h"
#include "core/agent/ppo_learner.h"
#include "core/search/engine/searcher.h"
#include "core/search/agents/searcher_settings.h"

namespace cubinlab {

class PpoEdits : public Searcher {
  public:
    static constexpr const char* kName = "ppo";
    static Result<std::unique_ptr<Searcher>> create(const SearchContext& context);

    std::string name() const override { return kName; }
    std::vector<Proposal> propose(std::size_t n) override;  // at most one per walker
    ObserveResult observe(const std::vector<Observation>& observations) override;

  private:
    struct Standpoint {
        Schedule schedule;
        StepId step = 0;
        double log_speedup = 0;  // against the start
    };
    struct Walker {
        Standpoint at;
        Trajectory done;    // since the last update
        int turns = 0;      // in this episode
        double gained = 0;  // return of this episode
    };
    struct Pending {
        std::size_t walker = 0;
        InstrId instr = 0;
        EditAct act = EditAct::StallLess;
        Schedule result;
    };

    PpoEdits(const SearchContext& context, const Settings& settings, PpoSettings ppo);
    std::optional<Proposal> next(std::size_t walker);
    void take(const Observation& seen, Pending& pending, ObserveResult& result);
    void learn(ObserveResult& result);
    double learning_rate() const;
    void give_up(const std::string& why);

    PpoSettings ppo_;
    double loss_floor_;
    EditGame game_;
    Rng rng_;
    PpoLearner learner_;
    Standpoint best_;
    std::vector<Walker> walkers_;
    std::size_t turn_of_ = 0;  // the walker that proposes next
    std::vector<Pending> pending_;
    std::unordered_set<Hash128> tried_;
    std::size_t collected_ = 0;  // transitions since the last update
    std::int64_t evaluated_ = 0;
    std::string failure_;  // error of LibTorch; ends the search
};

}  // namespace cubinlab
