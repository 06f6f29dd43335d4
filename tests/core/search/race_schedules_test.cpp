// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier winners as starts of a race: they travel in the settings, are proven before they run, are measured before all
// else, and are never lost.
#include "core/search/agents/race_schedules.h"

#include <algorithm>
#include <cmath>

#include "app/lab/study/simulated_gpu.h"
#include "core/model/sm_model.h"
#include "core/search/agents/auto_state.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Kept {
    Schedule best = bmm_context().start;
    std::vector<StepRecord> steps;
    RunSummary summary;
};

// On the model unless a GPU is given.
Kept search(const std::string& settings, std::uint64_t steps, std::uint64_t seed = 1,
            SimulatedGpu* gpu = nullptr, const char* agent = "auto") {
    SearchContext context = bmm_context(seed);
    context.settings_json = settings;
    auto searcher = required(make_searcher(agent, context));
    const auto model = make_model_evaluator(context.kernel, {});
    RunSettings run;
    run.agent = agent;
    run.batch = gpu ? 16 : 1;
    if (gpu) run.clock = gpu->clock();
    run.budget.steps = steps;
    MemorySink sink;
    TuneRun tune(context, run, std::move(*searcher), gpu ? static_cast<Evaluator&>(*gpu) : *model, &sink,
                 nullptr);
    auto summary = required(tune.run({}));
    return {tune.best(), sink.steps, *summary};
}

const Kept& winner() {
    static const Kept kept = search("{}", 1500, 1, nullptr, "greedy");
    return kept;
}

std::string settings_with(const std::vector<Schedule>& starts, const std::string& others = "{}") {
    return *with_schedules(others, bmm_context().start, starts);
}

}  // namespace

TEST_CASE("starts in the settings come back as the same schedules, beside the other settings") {
    SearchContext context = bmm_context();
    context.settings_json = settings_with({winner().best}, R"({"turn": 77})");
    REQUIRE(take_schedules(context, true));
    REQUIRE(context.schedules.size() == 1);
    CHECK(context.schedules[0] == winner().best);
    CHECK(context.settings_json == R"({"turn":77})");
    CHECK(settings_with({}) == "{}");
}

TEST_CASE("a start that is the run's own, or there twice, is one less") {
    SearchContext context = bmm_context();
    context.settings_json = settings_with({winner().best, context.start, winner().best});
    REQUIRE(take_schedules(context, true));
    CHECK(context.schedules.size() == 1);
}

TEST_CASE("what is no start is refused and named") {
    const auto refused = [](const std::string& settings, const char* agent = "auto") {
        SearchContext context = bmm_context();
        context.settings_json = settings;
        auto made = make_searcher(agent, context);
        REQUIRE_FALSE(made);
        CHECK(made.error().code == ErrorCode::BadUse);
        return made.error().message();
    };
    CHECK(refused(R"({"schedules": 3})").find("must be an array") != std::string::npos);
    CHECK(refused(R"({"schedules": [3]})").find("not strings") != std::string::npos);
    CHECK(refused(R"({"schedules": ["A1>"]})").find("schedule 1") != std::string::npos);
    CHECK(refused(R"({"schedules": ["A99999>5"]})").find("schedule 1") != std::string::npos);
    CHECK(refused(R"({"schedules": ["","","","","","","","",""]})").find("up to 8") != std::string::npos);
    CHECK(refused(settings_with({winner().best}), "greedy").find("only auto") != std::string::npos);
    // An illegal one: the first instruction that something waits for gives its result too late.
    const SearchContext context = bmm_context();
    for (InstrId id = 0; id < context.kernel->size(); ++id) {
        ControlCode control = context.start.control(id);
        if (control.wait_mask == 0) continue;
        control.wait_mask = 0;
        const Schedule bad = *Mutation::control(context.start, id, control).applied(context.start);
        if (context.checker->check(bad).empty()) continue;
        CHECK(refused(settings_with({bad})).find("not legal") != std::string::npos);
        return;
    }
    FAIL("no wait of this kernel is needed");
}

TEST_CASE("a start that edits what is locked is no start of this run") {
    SearchContext context = bmm_context();
    const Mutation edits = difference(context.start, winner().best);
    CHECK(may_race(context, winner().best));
    context.locked = {edits.edits.front().instr};
    const auto may = may_race(context, winner().best);
    REQUIRE_FALSE(may);
    CHECK(may.error().what.find("leave alone") != std::string::npos);
}

TEST_CASE("the first step is the start that was given, and the run ends no worse") {
    const Kept run = search(settings_with({winner().best}), 20, 5);
    REQUIRE(run.steps.size() == 20);
    CHECK(run.steps[0].parent == 0);
    CHECK(run.steps[0].schedule_hash == winner().best.hash());
    CHECK(run.steps[0].best);
    CHECK(run.summary.best.log >= winner().summary.best.log);
    CHECK(search("{}", 20, 5).summary.best.log < winner().summary.best.log);
}

TEST_CASE(
    "with a GPU's noise the start is claimed before the search goes on, and is said to have brought it") {
    SimulatedGpu gpu(bmm_context().kernel, 4);
    const Kept run = search(settings_with({winner().best}), 900, 4, &gpu);
    const auto claimed =
        std::find_if(run.steps.begin(), run.steps.end(), [](const StepRecord& step) { return step.best; });
    REQUIRE(claimed != run.steps.end());
    CHECK(claimed->step < 100);
    CHECK(claimed->schedule_hash == winner().best.hash());
    const double truth = gpu.truth(winner().best, bmm_context().start);
    CHECK(gpu.truth(run.best, bmm_context().start) > truth - 0.004);
}

TEST_CASE("a start that does not run is not gone on from") {
    const Hash128 bad = winner().best.hash();
    struct Refusing final : Evaluator {
        explicit Refusing(Hash128 hash) : of(hash), model(make_model_evaluator(bmm_context().kernel, {})) {}
        const EvaluatorInfo& info() const override { return model->info(); }
        bool exact() const override { return true; }
        Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                              Effort effort, std::stop_token stop) override {
            auto out = model->evaluate(candidates, reference, effort, stop);
            for (std::size_t i = 0; out && i < candidates.size(); ++i)
                if (candidates[i].hash() == of) {
                    (*out)[i] = {};
                    (*out)[i].kind = OutcomeKind::WrongResult;
                }
            return out;
        }
        Hash128 of;
        std::unique_ptr<Evaluator> model;
    } evaluator(bad);
    SearchContext context = bmm_context();
    context.settings_json = settings_with({winner().best});
    RunSettings run;
    run.budget.steps = 200;
    MemorySink sink;
    TuneRun tune(context, run, std::move(*make_searcher("auto", context)), evaluator, &sink, nullptr);
    REQUIRE(tune.run({}));
    CHECK(sink.steps[0].outcome.kind == OutcomeKind::WrongResult);
    for (const StepRecord& step : sink.steps)
        CHECK(step.parent != 1);
}

TEST_CASE("what the starts brought is told, and made again from the figures") {
    AutoState state;
    state.starts = 7;
    state.given = std::log(1.09);
    CHECK(state.text().find("7 lineages left") != std::string::npos);
    CHECK(state.text().find("gains by given schedules +9.0 %") != std::string::npos);
    const auto metrics = state.metrics();
    std::vector<std::pair<std::string_view, double>> figures;
    for (const SearchMetric& metric : metrics)
        figures.emplace_back(metric.name, metric.value);
    const auto again = required(AutoState::from_metrics(figures));
    CHECK(again->text() == state.text());
}

TEST_CASE("settings for people tell how many starts there are") {
    CHECK(settings_in_short(settings_with({winner().best})) == R"({"schedules":"1 schedule"})");
    CHECK(settings_in_short(R"({"turn":77})") == R"({"turn":77})");
    CHECK(settings_in_short("no json") == "no json");
}
