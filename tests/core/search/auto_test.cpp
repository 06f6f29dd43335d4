// SPDX-License-Identifier: GPL-3.0-or-later
// What auto makes of figures that mislead it, and what it says of itself.
#include <algorithm>
#include <cmath>

#include "tests/core/search/noisy_evaluator.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Listener final : RunListener {
    std::vector<Schedule> claimed;
    std::vector<std::string> told;
    double estimate = 0;
    void on_best(const StepRecord&, const Schedule& schedule) override { claimed.push_back(schedule); }
    void on_metric(StepId, const std::string& name, double value) override {
        if (name == "estimate") estimate = value;
    }
    void on_doing(const std::string& doing) override { told.push_back(doing); }
};

void run(const std::string& agent, std::uint64_t seed, NoisyEvaluator& evaluator, double seconds,
         Listener& listener, const std::string& agent_settings = "{}") {
    SearchContext context = bmm_context(seed);
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
            NoisyEvaluator evaluator(bmm_context().kernel, seed);
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
    NoisyEvaluator evaluator(bmm_context().kernel, 3);
    Listener listener;
    run("auto", 3, evaluator, 6, listener, R"({"turn": 80})");
    REQUIRE_FALSE(listener.told.empty());
    const auto said = [&](const std::string& words) {
        return std::any_of(listener.told.begin(), listener.told.end(),
                           [&](const std::string& told) { return told.find(words) != std::string::npos; });
    };
    CHECK(said("race 1: "));
    CHECK(said("greedy from the confirmed "));
    CHECK(said(" starts left, now climb"));
    CHECK(said("after race 1: "));
    CHECK(said("; best believed +"));
    CHECK(said(", brought by "));
}
