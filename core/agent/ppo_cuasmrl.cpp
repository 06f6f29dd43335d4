// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/ppo_cuasmrl.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "core/agent/learning_metrics.h"
#include "core/search/agents/learner_rewards.h"

namespace cubinlab {
Result<std::unique_ptr<Searcher>> PpoCuasmrl::create(const SearchContext& context) {
    auto settings = TRY(PpoSettings::parse(context.settings_json));
    MoveGame game(context);
    if (game.movable().empty()) {
        std::string names;
        for (const std::string_view name : movable_mnemonics())
            names += (names.empty() ? "" : ", ") + std::string(name);
        return fail(ErrorCode::Unsupported,
                    "this agent moves memory operations (" + names +
                        ") and the kernel, or the "
                        "scope given, has none that may move; use greedy or random",
                    context.kernel->name());
    }
    try {
        return std::unique_ptr<Searcher>(new PpoCuasmrl(context, settings, std::move(game)));
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unsupported,
                    std::string("LibTorch could not build the network: ") + error.what(), kName);
    }
}

PpoCuasmrl::PpoCuasmrl(const SearchContext& context, PpoSettings settings, MoveGame game)
    : settings_(settings),
      start_(context.start),
      game_(std::move(game)),
      features_(context.kernel),
      rows_(std::max(static_cast<std::int64_t>(features_.rows()), NetworkShape::kFewestRows)) {
    const NetworkShape shape{settings.network, rows_, static_cast<std::int64_t>(features_.columns()),
                             static_cast<std::int64_t>(game_.actions())};
    learner_ = std::make_unique<PpoLearner>(shape, settings, context.seed);
}

std::vector<float> PpoCuasmrl::observe_state() const {
    std::vector<float> matrix(static_cast<std::size_t>(rows_) * features_.columns(), -1.0f);
    features_.fill(game_.schedule(), matrix.data());
    return matrix;
}

double PpoCuasmrl::learning_rate() const {
    const double done = static_cast<double>(evaluated_) / static_cast<double>(settings_.total_steps);
    return settings_.learning_rate * std::max(0.0, 1.0 - done);
}

void PpoCuasmrl::start_episode() {
    game_.reset(start_);
    parent_ = 0;
    stands_at_ = 0;
    moves_ = 0;
    episode_return_ = 0;
}

void PpoCuasmrl::give_up(const std::string& why) {
    failure_ = why;
    std::fprintf(stderr, "ppo-cuasmrl stops: %s\n", why.c_str());
}

std::vector<Proposal> PpoCuasmrl::propose(std::size_t n) {
    std::vector<Proposal> proposals;
    if (n == 0 || pending_ || !failure_.empty()) return proposals;
    try {
        if (auto move = next_move()) proposals.push_back(std::move(*move));
    } catch (const std::exception& error) {
        give_up(error.what());
    }
    return proposals;
}

std::optional<Proposal> PpoCuasmrl::next_move() {
    if (!game_.any_legal()) return std::nullopt;  // the start has no legal move
    Transition transition;
    transition.observation = observe_state();
    transition.mask = game_.mask();
    const Decision decision = learner_->decide(transition.observation, transition.mask);
    transition.action = decision.action;
    transition.log_probability = decision.log_probability;
    transition.value = decision.value;
    rollout_.push_back(std::move(transition));
    pending_ = true;
    Mutation mutation = game_.mutation(static_cast<std::size_t>(decision.action));
    game_.step(static_cast<std::size_t>(decision.action));
    return Proposal{parent_, std::move(mutation), game_.schedule()};
}

ObserveResult PpoCuasmrl::observe(const std::vector<Observation>& observations) {
    ObserveResult result;
    for (const Observation& observation : observations) {
        if (!pending_) {  // not our proposal
            result.reward.push_back(0);
            result.accepted.push_back(false);
            continue;
        }
        pending_ = false;
        take_outcome(observation, result);
        if (static_cast<int>(rollout_.size()) < settings_.rollout) continue;
        try {
            learn(result);
        } catch (const std::exception& error) {
            give_up(error.what());
        }
        rollout_.clear();
    }
    return result;
}

void PpoCuasmrl::take_outcome(const Observation& observation, ObserveResult& result) {
    Transition& transition = rollout_.back();
    const bool ok = observation.outcome.ok();
    const Judgement judged = judge_as_paper(observation.outcome, stands_at_, settings_.failure_reward);
    ++evaluated_;
    ++moves_;
    transition.reward = judged.reward;
    if (ok) {
        stands_at_ = observation.outcome.speedup.log;
        parent_ = observation.step;
    }
    episode_return_ += transition.reward;
    transition.ends = !ok || moves_ >= settings_.horizon || !game_.any_legal();
    result.reward.push_back(transition.reward);
    result.accepted.push_back(judged.accepted);
    if (!transition.ends) return;
    result.episode_return.push_back(episode_return_);
    start_episode();
}

void PpoCuasmrl::learn(ObserveResult& result) {
    const double rate = learning_rate();
    if (rate <= 0) return;  // annealed to 0: the policy does not change any more
    const double value_after = rollout_.back().ends ? 0.0 : learner_->value_of(observe_state());
    report_update(learner_->update({{rollout_, value_after}}, rate), rate, result);
}

}  // namespace cubinlab
