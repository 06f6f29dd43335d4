// SPDX-License-Identifier: GPL-3.0-or-later
// A run from its request to its log, as command line and window start it.
#include "core/tuning/tune_session.h"

#include "core/base/version.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Recorder final : TuneObserver {
    std::vector<RunPhase> phases;
    std::vector<RunInfo> started;
    StepId first_step = 0, steps = 0;
    void on_phase(RunPhase phase) override { phases.push_back(phase); }
    void on_started(const RunInfo& run) override {
        started.push_back(run);
        CHECK(steps == 0);
    }
    void on_step(const StepRecord& record, const Schedule&) override {
        if (steps++ == 0) first_step = record.step;
    }
};

struct Scene {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("softmax");
    const std::filesystem::path file = folder / "s.db";
    Recorder recorder;

    TuneRequest request(std::uint64_t steps) const {
        TuneRequest out{.kernel = kernel, .evaluator = EvaluatorPolicy::Model, .session = file};
        out.budget.steps = steps;
        return out;
    }
    TuneRequest greedy(std::uint64_t steps) const {
        TuneRequest out = request(steps);
        out.agent = "greedy";
        out.seed = 9;
        out.batch = 5;
        out.locked = std::vector<InstrId>{3, 4};
        return out;
    }
    TuneRequest resumed(std::uint64_t steps) const {
        TuneRequest out = request(steps);
        out.resume = 0;
        return out;
    }
    Result<TuneResult> run(TuneRequest wanted) {
        recorder = {};
        auto session = TRY(TuneSession::prepare(std::move(wanted), recorder, {}));
        return session.run(recorder, {}, PauseGate());
    }
    std::vector<std::string> hashes() const {
        auto reader = required(SessionReader::open(file));
        const auto steps = required((*reader)->steps(1));
        std::vector<std::string> out;
        for (const StepRecord& r : *steps)
            out.push_back(r.schedule_hash.hex());
        return out;
    }
};

}  // namespace

TEST_CASE("a new run's row has its settings, its start, its locks and this version") {
    Scene scene;
    const auto result = required(scene.run(scene.greedy(40)));
    CHECK(result->run == 1);
    CHECK(result->summary.steps == 40);
    CHECK(result->summary.end == RunEnd::Budget);
    REQUIRE(scene.recorder.started.size() == 1);
    auto reader = required(SessionReader::open(scene.file));
    const auto run = required((*reader)->run(1));
    CHECK(run->agent == "greedy");
    CHECK(run->seed == 9);
    CHECK(run->budget == "40steps");
    CHECK(run->evaluator.kind == EvaluatorKind::Model);
    CHECK(run->start_hash == scene.kernel->hash());
    CHECK(run->batch == 5);
    CHECK(run->locked == std::vector<InstrId>{3, 4});
    CHECK(run->version == version_text());
    CHECK(run->started.size() >= 20);
    CHECK(run->start_run == 0);
    CHECK(run->end == "budget");
}

TEST_CASE("a resumed run keeps what it was started with and continues as if it had not been interrupted") {
    Scene whole, parts;
    REQUIRE(whole.run(whole.greedy(200)));
    REQUIRE(parts.run(parts.greedy(77)));
    const auto result = required(parts.run(parts.resumed(123)));
    CHECK(result->run == 1);
    CHECK(result->summary.steps == 123);
    CHECK(parts.recorder.first_step == 78);
    REQUIRE(parts.recorder.started.size() == 1);
    CHECK(parts.recorder.started[0].later_parts.size() == 1);
    CHECK(parts.hashes() == whole.hashes());
}

TEST_CASE("a resumed run accepts no other agent, seed, locks or batch") {
    Scene scene;
    REQUIRE(scene.run(scene.greedy(40)));
    const auto refused = [&](auto change) {
        TuneRequest request = scene.resumed(10);
        change(request);
        const auto result = scene.run(std::move(request));
        return !result && result.error().code == ErrorCode::BadUse;
    };
    CHECK(refused([](TuneRequest& r) { r.agent = "random"; }));
    CHECK(refused([](TuneRequest& r) { r.seed = 10; }));
    CHECK(refused([](TuneRequest& r) { r.agent_settings = R"({"walk": 3})"; }));
    CHECK(refused([](TuneRequest& r) { r.locked = std::vector<InstrId>{3}; }));
    CHECK(refused([](TuneRequest& r) { r.batch = 6; }));
    CHECK(refused([](TuneRequest& r) { r.earlier = EarlierSources{}; }));
    CHECK_FALSE(refused([](TuneRequest& r) { r.seed = 9; }));
}

TEST_CASE("a run without a step leaves no session") {
    Scene scene;
    TuneRequest request = scene.greedy(40);
    std::vector<InstrId> all(scene.kernel->size());
    for (std::size_t id = 0; id < all.size(); ++id)
        all[id] = static_cast<InstrId>(id);
    request.locked = all;
    const auto result = required(scene.run(std::move(request)));
    CHECK(result->summary.end == RunEnd::Exhausted);
    CHECK(result->run == 0);
    CHECK(result->session_removed);
    CHECK(scene.recorder.started.empty());
    CHECK_FALSE(std::filesystem::exists(scene.file));
}

TEST_CASE("the best of a run is exported with the claim of its session") {
    Scene scene;
    TuneRequest request = scene.greedy(200);
    request.out.path = scene.folder / "best.cubin";
    const auto result = required(scene.run(std::move(request)));
    REQUIRE(result->summary.best_step > 0);
    CHECK_FALSE(result->not_exported);
    CHECK(result->stamp.starts_with("modelled, unmeasured (1."));
    CHECK(std::filesystem::exists(scene.folder / "best.cubin"));
}

TEST_CASE("a run logs through the writer that its front end shares, and leaves it open") {
    Scene scene;
    auto writer = required(SessionWriter::open(scene.file, scene.kernel, "", ""));
    TuneRequest request = scene.greedy(40);
    request.writer = [&] { return writer; };
    REQUIRE(scene.run(std::move(request)));
    TuneRequest more = scene.resumed(10);
    more.writer = [&] { return writer; };
    const auto result = required(scene.run(std::move(more)));
    CHECK(result->summary.steps == 10);
    CHECK((*writer)->add_note(1, 50, "still open"));
    CHECK((*writer)->close());
}
