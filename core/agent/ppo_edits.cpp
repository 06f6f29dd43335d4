// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/ppo_edits.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "core/agent/learning_metrics.h"
#include "core/search/agents/learner_rewards.h"
#include "core/search/agents/searcher_settings.h"

namespace cubinlab {
namespace {

constexpr int kTries = 48;  // draws of an action before a walker passes its turn

NetworkShape shape() {
    return {NetworkKind::Pointer, EditGame::kRows, EditGame::kColumns, EditGame::kActions};
}

}  // namespace

Result<std::unique_ptr<Searcher>> PpoEdits::create(const SearchContext& context) {
    auto settings = TRY(read_settings(context.settings_json, edit_ppo_settings()));
    try {
        auto agent = std::unique_ptr<PpoEdits>(
            new PpoEdits(context, settings, PpoSettings::from(settings, NetworkKind::Pointer)));
        if (!agent->game_.anything_to_edit())
            return fail(ErrorCode::Unsupported,
                        "no instruction of this kernel, or of the scope given, may be edited",
                        context.kernel->name());
        return std::unique_ptr<Searcher>(std::move(agent));
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unsupported,
                    std::string("LibTorch could not build the network: ") + error.what(), kName);
    }
}

PpoEdits::PpoEdits(const SearchContext& context, const Settings& settings, PpoSettings ppo)
    : ppo_(ppo),
      loss_floor_(settings.find("loss_floor")->second),
      game_(context),
      rng_(context.seed ^ 0x5eedull),
      learner_(shape(), ppo, context.seed),
      best_{context.start, 0, 0},
      walkers_(static_cast<std::size_t>(settings.find("walkers")->second), Walker{best_, {}, 0, 0}) {
    tried_.insert(context.start.hash());
}

double PpoEdits::learning_rate() const {
    const double done = static_cast<double>(evaluated_) / static_cast<double>(ppo_.total_steps);
    return ppo_.learning_rate * std::max(0.1, 1.0 - done);
}

void PpoEdits::give_up(const std::string& why) {
    failure_ = why;
    std::fprintf(stderr, "ppo stops: %s\n", why.c_str());
}

std::vector<Proposal> PpoEdits::propose(std::size_t n) {
    std::vector<Proposal> proposals;
    pending_.clear();
    if (!failure_.empty()) return proposals;
    try {
        // A walker without a new edit skips its turn; if all do, the run ends.
        const std::size_t wanted = std::min(n, walkers_.size());
        for (std::size_t asked = 0; asked < walkers_.size() && proposals.size() < wanted; ++asked) {
            auto proposal = next(turn_of_);
            turn_of_ = (turn_of_ + 1) % walkers_.size();
            if (proposal) proposals.push_back(std::move(*proposal));
        }
    } catch (const std::exception& error) {
        give_up(error.what());
    }
    return proposals;
}

std::optional<Proposal> PpoEdits::next(std::size_t index) {
    Walker& walker = walkers_[index];
    for (int redraws = 0; redraws < 4; ++redraws) {
        Turn turn = game_.turn(walker.at.schedule, rng_);
        Transition transition;
        std::optional<Edited> edited;
        const auto feasible = [&](std::int64_t action) {
            edited = game_.realise(walker.at.schedule, turn, static_cast<std::size_t>(action));
            return edited && !tried_.contains(edited->result.hash());
        };
        const Decision decision = learner_.decide(turn.features, turn.mask, feasible, kTries);
        if (decision.action == PpoLearner::kNoAction) continue;
        tried_.insert(edited->result.hash());
        transition.observation = std::move(turn.features);
        transition.mask = std::move(turn.mask);
        transition.action = decision.action;
        transition.log_probability = decision.log_probability;
        transition.value = decision.value;
        walker.done.transitions.push_back(std::move(transition));
        const auto action = static_cast<std::size_t>(decision.action);
        pending_.push_back(
            {index, turn.rows[action / kEditActs], static_cast<EditAct>(action % kEditActs), edited->result});
        return Proposal{walker.at.step, std::move(edited->mutation), std::move(edited->result)};
    }
    return std::nullopt;
}

ObserveResult PpoEdits::observe(const std::vector<Observation>& observations) {
    ObserveResult result;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        if (i >= pending_.size()) {  // not our proposal
            result.reward.push_back(0);
            result.accepted.push_back(false);
            continue;
        }
        take(observations[i], pending_[i], result);
    }
    pending_.clear();
    if (collected_ >= static_cast<std::size_t>(ppo_.rollout)) {
        try {
            learn(result);
        } catch (const std::exception& error) {
            give_up(error.what());
        }
    }
    return result;
}

void PpoEdits::take(const Observation& seen, Pending& pending, ObserveResult& result) {
    Walker& walker = walkers_[pending.walker];
    const auto [reward, accepted] =
        judge_by_gain(seen.outcome, walker.at.log_speedup, ppo_.failure_reward, loss_floor_);
    game_.remember(pending.instr, pending.act, reward);
    ++evaluated_;
    ++collected_;
    if (accepted) walker.at = {pending.result, seen.step, seen.outcome.speedup.log};
    if (seen.best) best_ = {std::move(pending.result), seen.step, seen.outcome.speedup.log};
    Transition& transition = walker.done.transitions.back();
    transition.reward = reward;
    walker.gained += reward;
    transition.ends = ++walker.turns >= ppo_.horizon;
    result.reward.push_back(reward);
    result.accepted.push_back(accepted);
    if (!transition.ends) return;
    result.episode_return.push_back(walker.gained);
    walker.at = best_;
    walker.turns = 0;
    walker.gained = 0;
}

void PpoEdits::learn(ObserveResult& result) {
    collected_ = 0;
    std::vector<Trajectory> rollout;
    for (Walker& walker : walkers_) {
        if (walker.done.transitions.empty()) continue;
        walker.done.value_after = walker.done.transitions.back().ends
                                      ? 0.0
                                      : learner_.value_of(game_.turn(walker.at.schedule, rng_).features);
        rollout.push_back(std::move(walker.done));
        walker.done = {};
    }
    if (ppo_.learning_rate <= 0) return;
    const double rate = learning_rate();
    report_update(learner_.update(rollout, rate), rate, result);
}

}  // namespace cubinlab
