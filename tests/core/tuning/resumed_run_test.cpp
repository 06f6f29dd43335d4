// SPDX-License-Identifier: GPL-3.0-or-later
// What window and command line decide alike when a run goes on: the budget is what is spent from here on, everything
// else is the run's own, and what judged it judges on.
#include "core/tuning/resumed_run.h"

#include "core/model/sm_model.h"
#include "core/store/sqlite.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/tune_session.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Logged {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("softmax");
    const CheckerPtr checker = *HazardChecker::create(kernel);
    const std::filesystem::path file = folder / "s.db";

    // A run of the model as a front end makes it, killed (no end is written) where `kill` says so.
    void run(std::uint64_t steps, const char* agent = "greedy", std::uint32_t batch = 5) {
        SearchContext context{kernel, checker, 9, "{}", {3, 4}, {}, Schedule(kernel)};
        const auto evaluator = make_model_evaluator(kernel, model_settings(*kernel, {}));
        auto session = required(SessionWriter::open(file, kernel, "", ""));
        RunHeader header;
        header.agent = agent;
        header.agent_settings = "{}";
        header.seed = 9;
        header.evaluator = evaluator->info();
        header.start_hash = kernel->hash();
        header.batch = batch;
        header.locked = context.locked;
        auto sink = required((*session)->begin_run(header, context.start, nullptr));
        RunSettings settings;
        settings.agent = agent;
        settings.batch = batch;
        settings.budget.steps = steps;
        TuneRun tune(context, settings, *make_searcher(agent, context), *evaluator, sink->get(), nullptr);
        REQUIRE(tune.run({}));
        sink->reset();
        REQUIRE((*session)->close());
    }

    // Some steps, as if a GPU had judged them.
    Result<ResumedRun> run_on_gpu() {
        run(40);
        auto resumed = required(open_resumed_run(file, kernel, 0, {}));
        resumed->run.evaluator.kind = EvaluatorKind::Gpu;
        return resumed;
    }

    std::uint64_t go_on(Budget more) {
        TuneObserver observer;
        TuneRequest request{
            .kernel = kernel, .evaluator = EvaluatorPolicy::Model, .budget = more, .session = file};
        request.resume = 0;
        auto session = required(TuneSession::prepare(std::move(request), observer, {}));
        const auto result = required(session->run(observer, {}, PauseGate()));
        return result->summary.steps;
    }

    std::vector<std::string> words() {
        auto reader = required(SessionReader::open(file));
        std::vector<std::string> out;
        const auto steps = required((*reader)->steps(1));
        for (const StepRecord& r : *steps)
            out.push_back(r.schedule_hash.hex() + (r.best ? "*" : ""));
        CHECK((*reader)->verify(kernel, 1).value() == out.size());
        return out;
    }
};

}  // namespace

TEST_CASE(
    "a budget of a run that goes on is what is spent from here on, and the run is the uninterrupted one") {
    for (const char* agent : {"random", "greedy", "anneal"}) {
        INFO(agent);
        Logged whole, parts;
        whole.run(400, agent);
        parts.run(123, agent);
        CHECK(parts.go_on({.steps = 77, .time = {}}) == 77);
        CHECK(parts.go_on({.steps = 200, .time = {}}) == 200);
        CHECK(parts.words() == whole.words());
    }
}

TEST_CASE("a run that goes on keeps seed, locks and batch, and its inputs are made from its own seed") {
    Logged log;
    log.run(60);
    const auto resumed = required(open_resumed_run(log.file, log.kernel, 0, {}));
    const RunSettings settings = resumed->settings({});
    CHECK(settings.batch == 5);
    CHECK(settings.seed == 9);
    CHECK(settings.first_step == 61);
    CHECK_FALSE(settings.budget.steps);
    CHECK(resumed->run.locked == std::vector<InstrId>{3, 4});
    GpuSettings given;
    given.seed = 1;  // what --seed or a form says is of a new run
    CHECK(resumed->gpu(given).seed == 9);
    CHECK(resumed->gpu(given).confirmations_before == 0);
}

TEST_CASE("a log without a batch goes on with the one of its evaluator") {
    Logged log;
    log.run(40, "greedy", 16);
    {
        auto database = required(sqlite::Database::open(log.file, sqlite::Mode::ReadWrite));
        REQUIRE(database->exec("UPDATE runs SET batch = 0"));
    }
    auto resumed = required(open_resumed_run(log.file, log.kernel, 0, {}));
    CHECK(resumed->settings({}).batch == batch_for(resumed->run.evaluator));
}

TEST_CASE("a run goes on with the cache that judged it, and no other") {
    Logged log;
    auto resumed = log.run_on_gpu();
    resumed->run.evaluator.gpu.cache = Cache::Both;
    GpuSettings given;
    given.cache = Cache::Cold;
    CHECK(resumed->gpu(given).cache == Cache::Both);
    CHECK(resumed->judged_alike(resumed->run.evaluator, {}));
    EvaluatorInfo cold = resumed->run.evaluator;
    cold.gpu.cache = Cache::Cold;
    const auto refused = resumed->judged_alike(cold, {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadUse);
    CHECK(refused.error().what.find("--cache both") != std::string::npos);
    // A run of before says nothing of it.
    resumed->run.evaluator.gpu.cache.reset();
    CHECK(resumed->gpu(given).cache == Cache::Cold);
    CHECK(resumed->judged_alike(cold, {}));
}

TEST_CASE("a run on a GPU goes on with the launches that it was measured on") {
    Logged log;
    auto resumed = log.run_on_gpu();
    const auto with = [](const std::string& shape) {
        return Workload::parse(R"({"kernel": "k", "grid": [8], "block": [32], "params": [], "about": ")" +
                               shape + R"(", "shapes": [{"name": ")" + shape + R"(", "grid": [2]}]})");
    };
    const auto goes_on = [&](const std::optional<Workload>& workload) {
        return resumed->judged_alike(resumed->run.evaluator, workload);
    };
    const auto small = required(with("small"));
    const auto tiny = required(with("tiny"));
    CHECK(goes_on(*tiny));  // it was given none
    resumed->workload = small->json;
    CHECK(goes_on(*small));
    const auto refused = goes_on(*tiny);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadUse);
    CHECK(refused.error().what.find("small 2x1x1 of 32x1x1") != std::string::npos);
}

TEST_CASE("another judge, hand edits and a forged best step do not go on") {
    Logged log;
    log.run(60);
    const auto refused = [](const auto& result, ErrorCode code) {
        return !result && result.error().code == code;
    };
    const auto resumed = required(open_resumed_run(log.file, log.kernel, 0, {}));
    EvaluatorInfo other = resumed->run.evaluator;
    other.kind = EvaluatorKind::Gpu;
    CHECK(refused(resumed->judged_alike(other, {}), ErrorCode::BadUse));
    other = resumed->run.evaluator;
    other.original_cost *= 1.5;
    CHECK(refused(resumed->judged_alike(other, {}), ErrorCode::BadUse));
    CHECK(refused(open_resumed_run(log.file, log.kernel, 7, {}), ErrorCode::NotFound));
    auto database = required(sqlite::Database::open(log.file, sqlite::Mode::ReadWrite));
    REQUIRE(database->exec("UPDATE mutations SET log_speedup = 1, low = 1, high = 1 WHERE best = 1"));
    CHECK_FALSE(open_resumed_run(log.file, log.kernel, 0, {}));
    REQUIRE(database->exec("UPDATE runs SET agent = 'hand'"));
    CHECK(refused(open_resumed_run(log.file, log.kernel, 1, {}), ErrorCode::BadUse));
    CHECK(refused(open_resumed_run(log.file, log.kernel, 0, {}), ErrorCode::NotFound));
}
