// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <set>

#include "core/model/sm_model.h"
#include "core/schedule/flow_graph.h"
#include "core/search/agents/agent_loader.h"
#include "core/search/moves/rng.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Every agent of the list that needs nothing but core.
std::vector<std::string> built_in() {
    std::vector<std::string> out;
    for (const SearcherDescription& agent : searcher_descriptions())
        if (!agent.needs_torch) out.push_back(agent.name);
    return out;
}
const std::vector<std::string> kBuiltIn = built_in();

struct Trial {
    MemorySink sink;
    RunSummary summary;
    std::vector<Schedule> schedules;  // by step, 0 = start
};

struct Keeper final : RunListener {
    std::vector<Schedule>* schedules = nullptr;
    void on_step(const StepRecord&, const Schedule& schedule) override { schedules->push_back(schedule); }
};

Trial trial_of(const std::string& agent, SearchContext context, std::uint64_t steps) {
    Trial trial;
    trial.schedules.push_back(context.start);
    Keeper keeper;
    keeper.schedules = &trial.schedules;
    auto searcher = required(make_searcher(agent, context));
    const auto evaluator = make_model_evaluator(context.kernel, {});
    RunSettings settings;
    settings.budget.steps = steps;
    TuneRun run(context, settings, std::move(*searcher), *evaluator, &trial.sink, &keeper);
    const auto summary = required(run.run({}));
    trial.summary = *summary;
    return trial;
}

}  // namespace

TEST_CASE("every proposal of every searcher is legal and is its parent with the mutation applied") {
    for (const std::string& agent : kBuiltIn) {
        INFO(agent);
        const Trial trial = trial_of(agent, bmm_context(), 40);
        REQUIRE(trial.sink.steps.size() == 40);
        for (const StepRecord& record : trial.sink.steps) {
            const Schedule& parent = trial.schedules[static_cast<std::size_t>(record.parent)];
            const auto rebuilt = required(record.mutation.applied(parent));
            CHECK(rebuilt->hash() == record.schedule_hash);
            CHECK(bmm_context().checker->check(*rebuilt).empty());
        }
    }
}

TEST_CASE("the same seed gives the same run, another seed another one") {
    for (const std::string& agent : kBuiltIn) {
        INFO(agent);
        const auto log = [&](std::uint64_t seed) {
            std::vector<std::string> out;
            for (const StepRecord& record : trial_of(agent, bmm_context(seed), 30).sink.steps)
                out.push_back(record.mutation.encode());
            return out;
        };
        CHECK(log(7) == log(7));
        // Greedy sweeps in a fixed order before it draws, and so does auto's climb: their first steps are those of every seed.
        if (agent != "greedy" && agent != "auto") CHECK(log(7) != log(8));
    }
}

TEST_CASE("greedy improves the modelled cycles and proposes no words twice") {
    const Trial trial = trial_of("greedy", bmm_context(), 200);
    CHECK(trial.summary.best.log > 0);
    CHECK(trial.summary.repeated == 0);
    std::set<std::string> words;
    for (const StepRecord& record : trial.sink.steps)
        words.insert(record.schedule_hash.hex());
    CHECK(words.size() == trial.sink.steps.size());
}

TEST_CASE("locked instructions and blocks out of scope are never edited") {
    SearchContext context = bmm_context();
    for (BlockId b = 0; b < context.kernel->flow().blocks.size(); ++b)
        if (context.kernel->flow().blocks[b].loop_depth > 0) context.scope.push_back(b);
    REQUIRE_FALSE(context.scope.empty());
    const Block& block = context.kernel->flow().blocks[context.scope.front()];
    for (Position p = block.first; p < block.end(); p += 2)
        context.locked.push_back(context.start.at(p));
    for (const std::string& agent : kBuiltIn) {
        INFO(agent);
        for (const StepRecord& record : trial_of(agent, context, 30).sink.steps)
            for (const Edit& edit : record.mutation.edits) {
                CHECK(std::find(context.locked.begin(), context.locked.end(), edit.instr) ==
                      context.locked.end());
                CHECK(context.kernel->block_of(edit.instr) == context.scope.front());
            }
    }
}

TEST_CASE("code that no launch comes to is never edited") {
    SearchContext context = bmm_context();
    const FlowGraph& flow = context.kernel->flow();
    const std::vector<bool> reachable = reachable_blocks(flow);
    REQUIRE(std::ranges::count(reachable, false) > 0);
    for (BlockId b = 0; b < flow.blocks.size(); ++b)
        if (!reachable[b]) context.scope.push_back(b);
    for (const std::string& agent : kBuiltIn) {
        INFO(agent);
        CHECK(trial_of(agent, context, 5).summary.end == RunEnd::Exhausted);
    }
}

TEST_CASE("a run with nothing to edit ends as exhausted") {
    SearchContext context = bmm_context();
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        context.locked.push_back(id);
    for (const std::string& agent : kBuiltIn) {
        INFO(agent);
        const Trial trial = trial_of(agent, context, 5);
        CHECK(trial.summary.end == RunEnd::Exhausted);
        CHECK(trial.sink.steps.empty());
    }
}

TEST_CASE("settings: defaults are valid, unknown names and bad values are refused by name") {
    for (const SearcherDescription& description : searcher_descriptions()) {
        if (description.needs_torch) continue;
        INFO(description.name);
        SearchContext context = bmm_context();
        context.settings_json = description.settings_json;
        CHECK(make_searcher(description.name, context));
        for (const char* bad : {R"({"no_such": 1})", R"({"edits": "two"})", R"({"edits": -1})", "[]", "{"}) {
            context.settings_json = bad;
            const auto refused = make_searcher(description.name, context);
            REQUIRE_FALSE(refused);
            CHECK(refused.error().code == ErrorCode::BadUse);
        }
    }
}

TEST_CASE("an unknown agent is refused with the list of agents") {
    const auto refused = make_searcher("gready", bmm_context());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what.find("greedy") != std::string::npos);
}

TEST_CASE("without the agent module the neural agents say how to get it") {
    setenv("CUBINLAB_AGENT_MODULE", "/nonexistent/libcubinlab-agent.so", 1);
    const auto refused = make_searcher("ppo-cuasmrl", bmm_context());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Missing);
    CHECK(refused.error().what.find("CUBINLAB_AGENT=ON") != std::string::npos);
    CHECK(refused.error().what.find("/nonexistent/") != std::string::npos);
    CHECK_FALSE(agent_module_problem().empty());
}

TEST_CASE("the random numbers are xoshiro256** seeded by splitmix64, as published") {
    // splitmix64 from 1234567 gives 6457827717110365317 and then 3203168211198807973; the first output of
    // xoshiro256** is rotl(s1 * 5, 7) * 9.
    const std::uint64_t s1 = 3203168211198807973ull * 5;
    Rng rng(1234567);
    CHECK(rng.next() == (s1 << 7 | s1 >> 57) * 9);
    for (int i = 0; i < 1000; ++i) {
        CHECK(rng.below(7) < 7);
        const double u = rng.unit();
        CHECK((u >= 0 && u < 1));
    }
}

TEST_CASE("the learning agents are called experiments where an agent is chosen") {
    std::size_t learning = 0;
    for (const SearcherDescription& agent : searcher_descriptions()) {
        if (!agent.needs_torch) continue;
        ++learning;
        INFO(agent.name);
        CHECK(agent.title.find("(an experiment)") != std::string::npos);
    }
    CHECK(learning == 1);
}
