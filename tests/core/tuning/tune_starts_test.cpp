// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning with starts on the SM model: real PTX, real ptxas (skipped where there is none), every part a run of the session.
#include "core/tuning/tune_starts.h"

#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/evidence/learned_orders.h"
#include "core/evidence/stored_figures.h"
#include "core/search/starts/start_searcher.h"
#include "core/start/ptxas.h"
#include "core/store/sqlite.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct StartsScene {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("flash_attn_mma");
    const std::filesystem::path file = folder / "s.db";
    TuneObserver nobody;

    TuneRequest request(std::uint64_t steps) const {
        TuneRequest out{.kernel = kernel, .evaluator = EvaluatorPolicy::Model, .session = file};
        out.budget.steps = steps;
        out.agent = "greedy";
        out.seed = 3;
        const std::string path = std::string(CUBINLAB_SAMPLES) + "/flash_attn_mma.ptx";
        out.ptx = PtxSource{*required(read_text(path)), path};
        return out;
    }
    Result<TuneResult> run(TuneRequest wanted, const std::stop_token& stop = {}) {
        auto session = TRY(TuneSession::prepare(std::move(wanted), nobody, stop));
        return session.run(nobody, stop, PauseGate());
    }
    struct Logged {
        std::vector<std::string> agents;
        std::vector<std::string> hashes;  // of all runs, in order
        std::vector<RunId> start_runs;
        friend bool operator==(const Logged&, const Logged&) = default;
    };
    Logged logged() const {
        auto reader = required(SessionReader::open(file));
        Logged out;
        const auto runs = required((*reader)->runs());
        for (const RunInfo& run : *runs) {
            out.agents.push_back(run.agent);
            out.start_runs.push_back(run.start_run);
            const auto steps = required((*reader)->steps(run.id));
            for (const StepRecord& step : *steps)
                out.hashes.push_back(step.schedule_hash.hex());
        }
        return out;
    }
};

bool no_ptxas() {
    if (!installed_ptxas().empty()) return false;
    WARN("SKIPPED, no ptxas is installed");
    return true;
}

}  // namespace

TEST_CASE("starts are searched first, then schedules of the promising ones, and all is logged") {
    if (no_ptxas()) return;
    StartsScene scene;
    const auto result = required(scene.run(scene.request(400)));
    const auto log = scene.logged();
    REQUIRE(log.agents.size() >= 3);
    CHECK(log.agents.front() == kStartsAgent);
    CHECK(std::all_of(log.agents.begin() + 1, log.agents.end(), [](const auto& agent) { return agent == "greedy"; }));
    CHECK(std::find(log.start_runs.begin() + 1, log.start_runs.end(), 1) != log.start_runs.end());
    CHECK(result->summary.steps <= 400);
    CHECK(result->summary.best.log > 0);

    // Every step of every run can be rebuilt without a compiler, with the code that was evaluated.
    auto reader = required(SessionReader::open(scene.file));
    const auto runs = required((*reader)->runs());
    for (const RunInfo& run : *runs)
        CHECK(*required((*reader)->verify(scene.kernel, run.id)) == run.steps);

    // Each row names the tuning and the kernel that the run searches, and one of them is the winner.
    for (const RunInfo& run : *runs) {
        CHECK(run.tuning == runs->front().id);
        CHECK(run.chosen == (run.id == result->run));
        const auto start = required((*reader)->schedule_at(scene.kernel, run.id, 0));
        CHECK(run.code == (run.start_run == 0 ? Hash128() : start->kernel()->hash()));
    }
    CHECK(required(run_with_steps(**reader, 0, "s.db"))->id == result->run);

    // The figure of the best is its modelled cycles against the original's, however many runs lie between.
    const auto evaluator = required(choose_evaluator(scene.kernel, {}, EvaluatorPolicy::Model, {}, {}));
    const auto outcome = required(
        evaluator->evaluator->evaluate({&result->best, 1}, Schedule(scene.kernel), Effort::Screen, {}));
    CHECK(result->summary.best.log == Approx(outcome->front().speedup.log).epsilon(1e-9));
    const auto best = required((*reader)->schedule_at(scene.kernel, result->run, result->summary.best_step));
    CHECK(best->hash() == result->best.hash());
    CHECK(result->summary.best_cost == Approx(result->summary.original_cost * std::exp(-result->summary.best.log)));
}

TEST_CASE("the same seed gives the same runs, also after a stop and without the compiler's part of the log") {
    if (no_ptxas()) return;
    StartsScene whole, stopped;
    required(whole.run(whole.request(300)));

    struct Stopper final : TuneObserver {
        std::stop_source source;
        int left = 150;
        void on_step(const StepRecord&, const Schedule&) override {
            if (--left == 0) source.request_stop();
        }
    } stopper;
    {
        auto session = required(TuneSession::prepare(stopped.request(300), stopper, stopper.source.get_token()));
        required(session->run(stopper, stopper.source.get_token(), PauseGate()));
    }
    TuneRequest again = stopped.request(300);
    again.agent.reset();
    again.seed.reset();
    again.resume = 0;
    required(stopped.run(std::move(again)));
    CHECK(stopped.logged() == whole.logged());
}

TEST_CASE("wrong settings of the agent end a tuning with starts before anything is spent") {
    if (no_ptxas()) return;
    StartsScene scene;
    TuneRequest wrong = scene.request(100);
    wrong.agent = "auto";
    wrong.agent_settings = R"({"constructs":1})";
    CHECK(scene.run(std::move(wrong)).error().code == ErrorCode::BadUse);
    CHECK_FALSE(std::filesystem::exists(scene.file));
}

TEST_CASE("a policy that builds orders: the same seed gives the same runs after a stop, and replay needs no compiler") {
    if (no_ptxas()) return;
    const std::string settings = R"({"construct":1,"construct_share":0.8,"construct_rate":0.05})";
    const auto wanted = [&](const StartsScene& scene) {
        TuneRequest out = scene.request(240);
        out.agent = "auto";
        out.agent_settings = settings;
        return out;
    };
    StartsScene whole, stopped, keys;
    required(whole.run(wanted(whole)));
    struct Stopper final : TuneObserver {
        std::stop_source source;
        int left = 45;
        void on_step(const StepRecord&, const Schedule&) override {
            if (--left == 0) source.request_stop();
        }
    } stopper;
    {
        auto session = required(TuneSession::prepare(wanted(stopped), stopper, stopper.source.get_token()));
        required(session->run(stopper, stopper.source.get_token(), PauseGate()));
    }
    TuneRequest again = wanted(stopped);
    again.agent.reset();
    again.agent_settings.reset();
    again.seed.reset();
    again.resume = 0;
    TuneRequest without = again;
    without.ptx.reset();
    CHECK(stopped.run(std::move(without)).error().code == ErrorCode::Missing);
    required(stopped.run(std::move(again)));
    CHECK(stopped.logged() == whole.logged());

    auto reader = required(SessionReader::open(whole.file));
    CHECK(*required((*reader)->verify(whole.kernel, 1)) == required((*reader)->run(1))->steps);
    const auto learned = required(learned_orders(**reader, whole.kernel));
    REQUIRE(learned->has_value());
    CHECK((*learned)->orders > 20);
    CHECK((*learned)->updates >= 1);
    CHECK(text_of(**learned, {}, whole.kernel->name()).size() >= 2);
    for (const LearnedOrders::Example& example : (*learned)->examples)
        CHECK_FALSE(example.decisions.empty());

    // Evolution over keys alone stores no decisions.
    required(keys.run(keys.request(100)));
    auto other = required(SessionReader::open(keys.file));
    CHECK_FALSE(required(learned_orders(**other, keys.kernel))->has_value());
}

TEST_CASE("after a tuning with starts the newest run is resumed, and a part of the tuning is not resumed alone") {
    if (no_ptxas()) return;
    StartsScene scene;
    required(scene.run(scene.request(120)));
    const std::size_t parts = scene.logged().agents.size();
    TuneRequest part = scene.request(10);
    part.agent.reset();
    part.seed.reset();
    part.resume = 2;
    CHECK(scene.run(part).error().code == ErrorCode::BadUse);

    TuneRequest other = scene.request(30);
    other.ptx.reset();
    other.agent = "random";
    required(scene.run(other));
    TuneRequest resumed = scene.request(20);
    resumed.agent.reset();
    resumed.seed.reset();
    resumed.resume = 0;
    const auto result = required(scene.run(resumed));
    CHECK(result->run == static_cast<RunId>(parts + 1));
    CHECK(scene.logged().agents.size() == parts + 1);
}

TEST_CASE("every figure of a tuning with starts is recomputed by the model, and a changed one is noticed") {
    if (no_ptxas()) return;
    StartsScene scene;
    required(scene.run(scene.request(120)));
    auto reader = required(SessionReader::open(scene.file));
    const auto runs = required((*reader)->runs());
    for (const RunInfo& run : *runs) {
        const auto verified = required(verify_run(**reader, scene.kernel, run, {}));
        CHECK(verified->rebuilt == run.steps);
        CHECK(verified->figures.follow > 0);
        CHECK(verified->figures.unchecked == 0);
    }
    reader->reset();
    {
        auto database = required(sqlite::Database::open(scene.file, sqlite::Mode::ReadWrite));
        REQUIRE(database->exec("UPDATE mutations SET cost = cost * 0.9 WHERE run = 1 AND step = 2"));
    }
    auto changed = required(SessionReader::open(scene.file));
    const auto verified = verify_run(**changed, scene.kernel, runs->front(), {});
    REQUIRE_FALSE(verified);
    CHECK(verified.error().code == ErrorCode::Corrupt);
}

TEST_CASE("a tuning with starts whose plan was carried out gives what more it may spend to its last run") {
    if (no_ptxas()) return;
    StartsScene scene;
    required(scene.run(scene.request(200)));
    const auto before = scene.logged();
    TuneRequest more = scene.request(30);
    more.agent.reset();
    more.seed.reset();
    more.resume = 0;
    required(scene.run(std::move(more)));
    const auto after = scene.logged();
    CHECK(after.agents == before.agents);
    CHECK(after.hashes.size() == before.hashes.size() + 30);
    CHECK(std::equal(before.hashes.begin(), before.hashes.end(), after.hashes.begin()));
}

TEST_CASE("a start ranks by all its measurements, and one that failed is none") {
    const auto step = [](StepId id, std::uint64_t code, double log, std::size_t loads,
                         OutcomeKind kind = OutcomeKind::Ok) {
        StepRecord out;
        out.step = id;
        out.mutation.start = "ab";
        out.schedule_hash = {code, code};
        out.outcome.kind = kind;
        out.outcome.speedup = Speedup{log, log, log};
        out.outcome.states.resize(loads);
        return out;
    };
    const std::vector<StepRecord> steps = {step(1, 1, 0.10, 1),
                                           step(2, 2, 0.06, 1),
                                           step(3, 1, 0.02, 6),
                                           step(4, 2, 0.06, 6),
                                           step(5, 3, 0.30, 1),
                                           step(6, 3, 0.0, 0, OutcomeKind::WrongResult),
                                           step(7, 2, 0.0, 0, OutcomeKind::WorkerLost)};
    const auto ranked = ranked_starts(steps, false);
    REQUIRE(ranked.size() == 2);
    CHECK(ranked[0].step == 2);
    CHECK(ranked[1].step == 1);
    CHECK(ranked[1].log_speedup < 0.03);
    CHECK(ranked[0].log_speedup < 0.06);
    // An exact figure is no estimate.
    CHECK(ranked_starts(steps, true)[0].log_speedup == Approx(0.06));
}

TEST_CASE("parts of a budget add up to no more than the budget") {
    const Budget whole{.steps = 1000, .time = std::chrono::milliseconds(90000)};
    CHECK(*part_of(whole, 0.25).steps == 250);
    CHECK(part_of(whole, 0.05).time->count() == 4500);
    CHECK(*part_of(whole, 0.0001).steps == 1);
}
