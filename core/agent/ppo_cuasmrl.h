// SPDX-License-Identifier: GPL-3.0-or-later
// `ppo-cuasmrl`: the agent of CuAsmRL (arXiv 2501.08071). State: one row per instruction (PaperFeatures).
// Action: swap a movable memory operation with its neighbour above or below, masked by the hazard checker.
// Reward: change of the run time in percent of the start's, (T_before - T_after) / T_start * 100. One
// environment, episodes of 32 moves, PPO after every 64.
//
// Differences from the paper's code: illegal moves are never proposed (its mask lets some pass), the start is
// not timed again in each episode (rewards use the log speed-up against the start), a wrong result is never a
// best, and an episode without a legal move ends.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/agent/ppo_learner.h"
#include "core/search/moves/environment.h"
#include "core/search/agents/features.h"
#include "core/search/engine/searcher.h"

namespace cubinlab {

class PpoCuasmrl : public Searcher {
  public:
    static constexpr const char* kName = "ppo-cuasmrl";
    static Result<std::unique_ptr<Searcher>> create(const SearchContext& context);

    std::string name() const override { return kName; }
    // One proposal at a time: the next move depends on its outcome.
    std::vector<Proposal> propose(std::size_t n) override;
    ObserveResult observe(const std::vector<Observation>& observations) override;

  private:
    PpoCuasmrl(const SearchContext& context, PpoSettings settings, MoveGame game);
    std::vector<float> observe_state() const;
    void start_episode();
    std::optional<Proposal> next_move();
    void take_outcome(const Observation& observation, ObserveResult& result);
    void learn(ObserveResult& result);
    double learning_rate() const;
    void give_up(const std::string& why);

    PpoSettings settings_;
    Schedule start_;
    MoveGame game_;
    PaperFeatures features_;
    std::int64_t rows_;  // of the observation; short kernels are padded
    std::unique_ptr<PpoLearner> learner_;

    std::vector<Transition> rollout_;
    bool pending_ = false;      // a proposal is being evaluated; rollout_.back() is its transition
    StepId parent_ = 0;         // step of the game's schedule
    double stands_at_ = 0;      // log speed-up of that schedule against the start
    int moves_ = 0;             // in this episode
    double episode_return_ = 0;
    std::int64_t evaluated_ = 0;
    std::string failure_;  // error of LibTorch; ends the search
};

}  // namespace cubinlab
