// SPDX-License-Identifier: GPL-3.0-or-later
// What auto makes of figures that mislead it, and what it says of itself.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/lab/study/simulated_gpu.h"
#include "core/search/agents/auto_state.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Listener final : RunListener {
    std::vector<Schedule> claimed;
    std::vector<std::string> told;
    std::map<std::string, double> turn;  // figures since it last said something
    std::vector<std::map<std::string, double>> turns;
    double estimate = 0;
    void on_best(const StepRecord&, const Schedule& schedule) override { claimed.push_back(schedule); }
    void on_metric(StepId, const std::string& name, double value) override {
        if (name == "estimate") estimate = value;
        turn[name] = value;
    }
    void on_doing(const std::string& doing) override {
        told.push_back(doing);
        turns.push_back(std::exchange(turn, {}));
    }
};

void run(const std::string& agent, std::uint64_t seed, SimulatedGpu& evaluator, double seconds,
         Listener& listener, const std::string& agent_settings = "{}",
         SearchContext context = bmm_context()) {
    context.seed = seed;
    context.settings_json = agent_settings;
    RunSettings settings;
    settings.agent = agent;
    settings.batch = 16;
    settings.clock = evaluator.clock();
    settings.budget.time = std::chrono::milliseconds(static_cast<int>(1000 * seconds));
    TuneRun tune(context, settings, std::move(*make_searcher(agent, context)), evaluator, nullptr, &listener);
    REQUIRE(tune.run({}));
}

}  // namespace

TEST_CASE("a time in which everything looks fast costs a run neither its best nor what it believes") {
    const Schedule start = bmm_context().start;
    for (const char* agent : {"auto", "group"})
        for (const std::uint64_t seed : {1u, 2u}) {
            INFO(agent << ", seed " << seed);
            SimulatedGpu evaluator(bmm_context().kernel, seed);
            evaluator.spell(1.5, 2.0, 0.08);
            Listener listener;
            run(agent, seed, evaluator, 3.5, listener);
            REQUIRE_FALSE(listener.claimed.empty());
            double best = 0;
            for (const Schedule& schedule : listener.claimed)
                best = std::max(best, evaluator.truth(schedule, start));
            const double last = evaluator.truth(listener.claimed.back(), start);
            CHECK(last > best - 0.006);
            if (agent == std::string("auto")) CHECK(listener.estimate < last + 0.03);
        }
}

TEST_CASE("auto says in words what it does and what each method brought") {
    SimulatedGpu evaluator(bmm_context().kernel, 3);
    Listener listener;
    run("auto", 3, evaluator, 6, listener, R"({"turn": 80})");
    REQUIRE_FALSE(listener.told.empty());
    const auto said = [&](const std::string& words) {
        return std::any_of(listener.told.begin(), listener.told.end(),
                           [&](const std::string& told) { return told.find(words) != std::string::npos; });
    };
    CHECK(said("race 1: "));
    CHECK(said("independent hill climbing from "));
    CHECK(said(" lineages left, now hill climbing"));
    CHECK(said("race 1 done, "));
    CHECK(said("; best estimate +"));
    CHECK(said(", no gain for "));
    CHECK(said(", gains by "));
}

TEST_CASE("the independent climb gets a quarter of auto's measurements while it is not far behind") {
    const SearchContext context = context_of_sample("gemm_leaky");
    SimulatedGpu evaluator(context.kernel, 1);
    Listener listener;
    run("auto", 1, evaluator, 10, listener, R"({"turn": 60})", context);
    CHECK(std::ranges::any_of(listener.turns, [](const auto& turn) {
        return static_cast<int>(turn.at("method")) == AutoState::Own;
    }));
    CHECK(std::ranges::any_of(
        listener.told, [](const std::string& told) { return told.find("independent hill climbing from +") == 0; }));
}

TEST_CASE("after a race group tests have at least every other turn of auto, its own way's left out") {
    SimulatedGpu evaluator(bmm_context().kernel, 2);
    Listener listener;
    run("auto", 2, evaluator, 12, listener, R"({"turn": 60})");
    int others = 0, turns = 0;  // in a row; in all
    for (const auto& turn : listener.turns) {
        const auto method = static_cast<int>(turn.at("method"));
        if (method == AutoState::Own) continue;
        const bool group = turn.at("phase") > 1 || method == AutoState::Group;
        others = group ? 0 : others + 1;
        CHECK(others <= 1);
        ++turns;
    }
    CHECK(turns > 6);
}

TEST_CASE("auto's words are made again from the figures that it logs") {
    SimulatedGpu evaluator(bmm_context().kernel, 3);
    Listener listener;
    run("auto", 3, evaluator, 6, listener, R"({"turn": 80})");
    REQUIRE(listener.told.size() > 3);
    REQUIRE(listener.turns.size() == listener.told.size());
    for (std::size_t i = 0; i < listener.told.size(); ++i) {
        const auto& turn = listener.turns[i];
        const std::vector<std::pair<std::string_view, double>> figures(turn.begin(), turn.end());
        const auto state = required(AutoState::from_metrics(figures));
        CHECK(state->text() == listener.told[i]);
    }
}

TEST_CASE("auto's words of a state worked out by hand, and none of figures that are not a state's") {
    AutoState state;
    state.race = 2;
    state.method = AutoState::Climb;
    state.from = std::log(1.041);
    state.best = std::log(1.05);
    state.since_better = 1200;
    state.brought = {std::log(1.027), 0, 0, std::log(1.014)};
    CHECK(state.text() ==
          "race 2 done, hill climbing from +4.1 %: one edit at a time; best estimate +5.0 %, no gain "
          "for 1200 measurements, restarted once, gains by group tests +2.7 %, greedy +1.4 %");
    AutoState own = state;
    own.method = AutoState::Own;
    CHECK(own.text().find("independent hill climbing from +4.1 %: clear gains only; best estimate") == 0);
    // Logged by earlier versions.
    AutoState greedy = state;
    greedy.method = AutoState::Greedy;
    CHECK(greedy.text().find("greedy from the confirmed +4.1 %: confirmed gains only; best") == 0);
    std::vector<std::pair<std::string_view, double>> figures;
    const std::vector<SearchMetric> metrics = state.metrics();
    for (const SearchMetric& metric : metrics)
        figures.push_back({metric.name, metric.value});
    REQUIRE(AutoState::from_metrics(figures));
    for (std::size_t i = 0; i < figures.size(); ++i) {
        auto fewer = figures;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK_FALSE(AutoState::from_metrics(fewer));
        auto wrong = figures;
        wrong[i].second = -1e300;
        CHECK_FALSE(AutoState::from_metrics(wrong));
        wrong[i].second = std::nan("");
        CHECK_FALSE(AutoState::from_metrics(wrong));
    }
}
