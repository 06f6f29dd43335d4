// SPDX-License-Identifier: GPL-3.0-or-later
// `ppo-cuasmrl` through the Searcher interface, in the loadable module as the program uses it. No torch
// header here: its CHECK would silently replace Catch2's.
#include <cmath>
#include <map>
#include <numeric>

#include "core/model/sm_model.h"
#include "core/search/engine/searcher.h"
#include "core/search/moves/environment.h"
#include "tests/core/agent/agent_game.h"

using namespace cubinlab;
using namespace cubinlab::tests;

namespace {

std::unique_ptr<Searcher> make(std::uint64_t seed, const std::string& settings = "{}") {
    auto searcher = required(make_searcher("ppo-cuasmrl", context_with(seed, settings)));
    return std::move(*searcher);
}

// A toy evaluator: loads pay for every place that they stand above where the original has them.
double toy_log_speedup(const Schedule& schedule) {
    double gained = 0;
    for (InstrId id = 0; id < schedule.size(); ++id)
        if (movable_kind(schedule.kernel()->instruction(id)) >= 0)
            gained += static_cast<double>(id) - static_cast<double>(schedule.position_of(id));
    return gained * 0.001;
}

Outcome outcome_of(const Schedule& schedule) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ok;
    outcome.speedup.log = toy_log_speedup(schedule);
    return outcome;
}

struct Played {
    std::vector<Proposal> proposals;
    std::vector<double> rewards;
    std::vector<double> returns;
    std::vector<SearchMetric> metrics;
};

Played play(Searcher& searcher, int steps) {
    Played played;
    for (StepId step = 1; step <= steps; ++step) {
        auto proposals = searcher.propose(1);
        REQUIRE(proposals.size() == 1);
        const ObserveResult result = searcher.observe({{step, outcome_of(proposals[0].result)}});
        REQUIRE(result.reward.size() == 1);
        played.rewards.push_back(result.reward[0]);
        played.returns.insert(played.returns.end(), result.episode_return.begin(),
                              result.episode_return.end());
        played.metrics.insert(played.metrics.end(), result.metrics.begin(), result.metrics.end());
        played.proposals.push_back(std::move(proposals[0]));
    }
    return played;
}

constexpr const char* kQuick = R"({"rollout":16,"epochs":1})";

}  // namespace

TEST_CASE("every proposal is a legal swap of a memory operation with its neighbour, from the state reached") {
    if (skipped()) return;
    auto searcher = make(3, kQuick);
    const Played played = play(*searcher, 70);
    std::vector<Schedule> reached = {Schedule(game().kernel)};
    for (std::size_t i = 0; i < played.proposals.size(); ++i) {
        const Proposal& p = played.proposals[i];
        CHECK(p.parent == static_cast<StepId>(i % 32 == 0 ? 0 : i));  // episodes of 32 moves
        const Schedule& parent = i % 32 == 0 ? reached[0] : reached[i];
        CHECK(p.mutation.applied(parent).value() == p.result);
        const InstrId id = p.mutation.instr();
        CHECK(movable_kind(game().kernel->instruction(id)) >= 0);
        const int distance =
            static_cast<int>(p.result.position_of(id)) - static_cast<int>(parent.position_of(id));
        CHECK(std::abs(distance) == 1);
        CHECK(game().checker->check(p.result).empty());
        reached.push_back(p.result);
    }
}

TEST_CASE("the reward is the change of run time in percent of the start's") {
    if (skipped()) return;
    auto searcher = make(5, kQuick);
    const Played played = play(*searcher, 40);
    double before = 1;
    double episode = 0;
    for (std::size_t i = 0; i < played.proposals.size(); ++i) {
        if (i % 32 == 0) before = 1, episode = 0;
        const double now = std::exp(-toy_log_speedup(played.proposals[i].result));
        CHECK(played.rewards[i] == Approx((before - now) * 100).margin(1e-9));
        episode += played.rewards[i];
        before = now;
        if (i == 31) CHECK(played.returns.at(0) == Approx(episode).margin(1e-9));
    }
}

TEST_CASE("the same seed gives the same moves across updates, another seed others") {
    if (skipped()) return;
    auto a = make(11, kQuick);
    auto b = make(11, kQuick);
    auto c = make(12, kQuick);
    const Played first = play(*a, 80);
    const Played again = play(*b, 80);
    const Played other = play(*c, 80);
    int differing = 0;
    for (std::size_t i = 0; i < first.proposals.size(); ++i) {
        CHECK(first.proposals[i].mutation == again.proposals[i].mutation);
        if (!(first.proposals[i].mutation == other.proposals[i].mutation)) ++differing;
    }
    CHECK(differing > 40);
    REQUIRE(first.metrics.size() == again.metrics.size());
    for (std::size_t i = 0; i < first.metrics.size(); ++i)
        CHECK(first.metrics[i].value == again.metrics[i].value);
}

TEST_CASE("an update reports its losses, entropy, divergence and learning rate") {
    if (skipped()) return;
    auto searcher = make(1, R"({"rollout":16,"epochs":1,"total_steps":64})");
    const Played played = play(*searcher, 80);
    std::map<std::string, std::vector<double>> by_name;
    for (const SearchMetric& metric : played.metrics)
        by_name[metric.name].push_back(metric.value);
    for (const char* name : {"policy_loss", "value_loss", "entropy", "approx_kl", "learning_rate"}) {
        INFO(name);
        REQUIRE(by_name.count(name) == 1);
        for (const double value : by_name[name])
            CHECK(std::isfinite(value));
    }
    // Annealed to zero over 64 candidates: 3/4, 1/2, 1/4, then frozen.
    REQUIRE(by_name["learning_rate"].size() == 3);
    CHECK(by_name["learning_rate"][0] == Approx(2.5e-4 * 0.75));
    CHECK(by_name["learning_rate"][2] == Approx(2.5e-4 * 0.25));
    CHECK(by_name["entropy"][0] > 0);
}

TEST_CASE("a failed candidate costs the failure reward and ends the episode") {
    if (skipped()) return;
    auto searcher = make(2, kQuick);
    play(*searcher, 5);
    const auto next = searcher->propose(4);
    REQUIRE(next.size() == 1);
    CHECK(next[0].parent == 5);
    CHECK(searcher->propose(1).empty());  // the last one has not been answered
    Outcome fault;
    fault.kind = OutcomeKind::Fault;
    const ObserveResult result = searcher->observe({{6, fault}});
    CHECK(result.reward.at(0) == -1);
    CHECK_FALSE(result.accepted.at(0));
    REQUIRE(result.episode_return.size() == 1);
    CHECK(searcher->propose(1).at(0).parent == 0);
}

TEST_CASE("it learns: later episodes return more than the first ones") {
    if (skipped()) return;
    auto searcher = make(4, R"({"learning_rate":0.001})");
    const Played played = play(*searcher, 32 * 24);
    REQUIRE(played.returns.size() == 24);
    const double early = std::accumulate(played.returns.begin(), played.returns.begin() + 8, 0.0) / 8;
    const double late = std::accumulate(played.returns.end() - 8, played.returns.end(), 0.0) / 8;
    INFO("mean return of the first 8 episodes " << early << ", of the last 8 " << late);
    CHECK(late > early + 0.5);
}

TEST_CASE("settings that the agent does not know are an error") {
    if (skipped()) return;
    auto searcher = make_searcher("ppo-cuasmrl", context_with(1, R"({"colour":"red"})"));
    REQUIRE_FALSE(searcher);
    CHECK(searcher.error().message().find("colour") != std::string::npos);
    CHECK_FALSE(make_searcher("ppo-unheard-of", context_with(1)));
}

TEST_CASE("a scope without memory operations is refused with a reason") {
    if (skipped()) return;
    SearchContext context = context_with(1);
    for (InstrId id = 0; id < game().kernel->size(); ++id)
        if (movable_kind(game().kernel->instruction(id)) >= 0) context.locked.push_back(id);
    auto searcher = make_searcher("ppo-cuasmrl", context);
    REQUIRE_FALSE(searcher);
    CHECK(searcher.error().message().find("memory operations") != std::string::npos);
}
