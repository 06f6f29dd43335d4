// SPDX-License-Identifier: GPL-3.0-or-later
// Resuming is feeding the log again: the run that goes on equals the run that was never interrupted.
#include "app/lab/study/simulated_gpu.h"
#include "core/model/sm_model.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::vector<StepRecord> run_of(const std::string& agent, std::uint64_t steps, std::size_t batch,
                               const std::vector<StepRecord>& logged = {},
                               const std::string& agent_settings = "{}") {
    SearchContext context = bmm_context();
    context.settings_json = agent_settings;
    auto searcher = required(make_searcher(agent, context));
    const auto evaluator = make_model_evaluator(context.kernel, {});
    RunSettings settings;
    settings.agent = agent;
    settings.batch = batch;
    settings.budget.steps = steps;
    MemorySink sink;
    TuneRun run(context, settings, std::move(*searcher), *evaluator, &sink, nullptr);
    if (!logged.empty()) REQUIRE(run.resume_from(logged));
    REQUIRE(run.run({}));
    std::vector<StepRecord> all = logged;
    all.insert(all.end(), sink.steps.begin(), sink.steps.end());
    return all;
}

void check_equal(const std::vector<StepRecord>& a, const std::vector<StepRecord>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        INFO("step " << i + 1);
        CHECK(a[i].step == b[i].step);
        CHECK(a[i].parent == b[i].parent);
        CHECK(a[i].mutation == b[i].mutation);
        CHECK(a[i].schedule_hash == b[i].schedule_hash);
        CHECK(a[i].outcome.speedup.log == b[i].outcome.speedup.log);
        CHECK(a[i].reward == b[i].reward);
        CHECK(a[i].accepted == b[i].accepted);
        CHECK(a[i].best == b[i].best);
    }
}

std::vector<StepRecord> first(const std::vector<StepRecord>& all, std::size_t count) {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

// `logged`, and what a simulated GPU adds to it within `budget`.
std::vector<StepRecord> measured_on(const std::vector<StepRecord>& logged, const std::string& agent,
                                    Budget budget) {
    const SearchContext context = bmm_context(3);
    SimulatedGpu evaluator(context.kernel, 5);
    RunSettings settings;
    settings.agent = agent;
    settings.batch = 16;
    settings.clock = evaluator.clock();
    settings.budget = std::move(budget);
    MemorySink sink;
    INFO(agent << ", " << logged.size() << " steps, " << settings.budget.text());
    TuneRun run(context, settings, std::move(*make_searcher(agent, context)), evaluator, &sink, nullptr);
    if (!logged.empty()) {
        const auto resumed = run.resume_from(logged);
        INFO((resumed ? std::string() : resumed.error().message()));
        REQUIRE(resumed);
    }
    REQUIRE(run.run({}));
    std::vector<StepRecord> all = logged;
    all.insert(all.end(), sink.steps.begin(), sink.steps.end());
    return all;
}

}  // namespace

TEST_CASE("a resumed run equals the uninterrupted one") {
    for (const SearcherDescription& agent : searcher_descriptions()) {
        if (agent.needs_torch) continue;
        INFO(agent.name);
        const auto whole = run_of(agent.name, 40, 1);
        check_equal(run_of(agent.name, 40, 1, first(whole, 17)), whole);
    }
}

TEST_CASE("a run that was killed inside a batch goes on inside that batch") {
    const auto whole = run_of("greedy", 40, 4);
    check_equal(run_of("greedy", 40, 4, first(whole, 18)), whole);
    check_equal(run_of("greedy", 40, 4, first(whole, 20)), whole);
}

TEST_CASE("group goes on with the same run wherever its round was cut") {
    const std::string small = R"({"pool": 8, "subsets": 8})";
    const auto whole = run_of("group", 70, 4, {}, small);
    for (const std::size_t cut : {5u, 8u, 13u, 16u, 17u, 18u, 19u, 37u, 55u})
        check_equal(run_of("group", 70, 4, first(whole, cut), small), whole);
}

TEST_CASE("a log of other settings is refused") {
    auto logged = run_of("greedy", 5, 1);
    const SearchContext context = bmm_context();
    const auto evaluator = make_model_evaluator(context.kernel, {});
    const auto resume = [&](const SearchContext& other, const std::vector<StepRecord>& log) {
        TuneRun run(other, {}, std::move(*make_searcher("random", other)), *evaluator, nullptr, nullptr);
        return run.resume_from(log);
    };
    const auto refused = resume(context, logged);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Corrupt);

    // A step that is missing in the middle.
    auto log = run_of("random", 5, 1);
    REQUIRE(resume(context, log));
    log.erase(log.begin() + 2);
    const auto gap = resume(context, log);
    REQUIRE_FALSE(gap);
    CHECK(gap.error().code == ErrorCode::Corrupt);

    // Another seed proposes other edits.
    CHECK_FALSE(resume(bmm_context(2), run_of("random", 5, 1)));
}

TEST_CASE(
    "a run that decides by measure requests resumes after its end, and after a kill at any step of it") {
    const auto part = [](const std::string& agent, const std::vector<StepRecord>& logged, double seconds) {
        Budget budget;
        budget.time = std::chrono::milliseconds(static_cast<int>(1000 * seconds));
        return measured_on(logged, agent, budget);
    };
    for (const char* agent : {"group", "list", "auto"}) {
        const std::vector<StepRecord> once = part(agent, {}, 1.0);
        // Twice over its end, which the log then has in the middle.
        const std::vector<StepRecord> twice = part(agent, once, 0.3);
        CHECK(twice.size() > once.size());
        const std::vector<StepRecord> thrice = part(agent, twice, 0.1);
        CHECK(thrice.size() > twice.size());
        for (const std::size_t kept : {once.size() - 1, once.size() - 2, once.size() / 2, std::size_t{1}})
            part(agent, {once.begin(), once.begin() + static_cast<std::ptrdiff_t>(kept)}, 0.05);
    }
}

TEST_CASE(
    "a run whose budget in steps cut a batch goes on after its end, and does no more than it was given") {
    const auto part = [](const std::string& agent, const std::vector<StepRecord>& logged,
                         std::uint64_t steps) {
        Budget budget;
        budget.steps = steps;
        return measured_on(logged, agent, budget);
    };
    for (const char* agent : {"greedy", "group", "list", "auto"})
        for (const std::uint64_t steps : {50u, 333u, 1000u}) {
            const std::vector<StepRecord> once = part(agent, {}, steps);
            CHECK(once.size() >= steps);
            CHECK(once.size() < steps + 16);  // the end's own
            const std::vector<StepRecord> twice = part(agent, once, once.size() + 53);
            CHECK(twice.size() >= once.size() + 53);
            CHECK(twice.size() < once.size() + 53 + 16);
            const std::vector<StepRecord> killed =
                part(agent, {once.begin(), once.begin() + static_cast<std::ptrdiff_t>(steps) - 3}, steps);
            CHECK(killed.size() >= steps);
            CHECK(killed.size() < steps + 16);
        }
}
