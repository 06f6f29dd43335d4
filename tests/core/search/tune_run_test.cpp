// SPDX-License-Identifier: GPL-3.0-or-later
#include <thread>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Fixture {
    SearchContext context = bmm_context();
    MemorySink sink;
    ScriptedSearcher* searcher = nullptr;  // owned by the run

    Result<RunSummary> run(ScriptedEvaluator& evaluator, std::vector<int> stalls, RunSettings settings = {},
                           RunListener* listener = nullptr, std::stop_token stop = {},
                           const PauseGate* gate = nullptr) {
        auto owned = std::make_unique<ScriptedSearcher>(context.start, std::move(stalls));
        searcher = owned.get();
        tune = std::make_unique<TuneRun>(context, settings, std::move(owned), evaluator, &sink, listener);
        return tune->run(stop, gate);
    }
    std::unique_ptr<TuneRun> tune;
};

Outcome model_answer(const Call& call) {
    const double gain = 0.01 * (call.reference - call.stall);  // a shorter stall is faster
    return figure(gain > 0 ? Verdict::Faster : gain < 0 ? Verdict::Slower : Verdict::Same, gain);
}

int start_stall() {
    return bmm_context().start.control(0).stall;
}

}  // namespace

TEST_CASE("steps are numbered, logged in proposal order, and carry what the searcher made of them") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    RunSettings settings;
    settings.batch = 2;
    const auto summary = required(f.run(evaluator, {15, 14, 13}, settings));
    CHECK(summary->end == RunEnd::Exhausted);
    CHECK(summary->steps == 3);
    REQUIRE(f.sink.steps.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(f.sink.steps[i].step == static_cast<StepId>(i + 1));
        CHECK(f.sink.steps[i].mutation.edits[0].control_after().stall == 15 - static_cast<int>(i));
        CHECK(f.sink.steps[i].reward == Approx(10 * f.sink.steps[i].outcome.speedup.log));
    }
    CHECK(f.sink.finished);
    CHECK(f.sink.metrics == std::vector<std::string>{"entropy", "entropy"});
}

TEST_CASE("the same words are evaluated once and the outcome is copied") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    RunSettings settings;
    settings.batch = 3;
    const auto summary = required(f.run(evaluator, {15, 14, 15, 14, 15}, settings));
    CHECK(evaluator.calls.size() == 2);
    CHECK(summary->repeated == 3);
    CHECK(summary->evaluated == 2);
    CHECK(f.sink.steps[2].repeated);
    CHECK(f.sink.steps[2].outcome.speedup.log == f.sink.steps[0].outcome.speedup.log);
    CHECK_FALSE(f.sink.steps[2].best);
}

TEST_CASE("a way back to the start costs no evaluation") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    REQUIRE(f.run(evaluator, {start_stall()}));
    CHECK(evaluator.calls.empty());
    CHECK(f.sink.steps[0].outcome.verdict == Verdict::Same);
}

TEST_CASE("failures are logged and the run goes on") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, [](const Call& call) {
        if (call.stall == 15) return failure(OutcomeKind::Fault);
        if (call.stall == 14) return failure(OutcomeKind::Hang);
        if (call.stall == 13) return failure(OutcomeKind::WrongResult);
        return figure(Verdict::Slower, -0.1);
    });
    const auto summary = required(f.run(evaluator, {15, 14, 13, 12, 15}));
    CHECK(summary->failed == 4);  // the repeated fault counts as well
    CHECK(summary->best_step == 0);
    CHECK(f.sink.steps[1].outcome.kind == OutcomeKind::Hang);
    CHECK(f.sink.steps[4].repeated);
    CHECK(f.tune->best() == f.context.start);
}

TEST_CASE("a step budget is exact, whatever the batch") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    RunSettings settings;
    settings.batch = 4;
    settings.budget.steps = 6;
    const auto summary = required(f.run(evaluator, {15, 14, 13, 12, 11, 10, 9, 8}, settings));
    CHECK(summary->end == RunEnd::Budget);
    CHECK(f.sink.steps.size() == 6);
    CHECK(f.searcher->asked == std::vector<std::size_t>{4, 2});
}

TEST_CASE("on a GPU a gain has to survive promotion and confirmation against the start") {
    Fixture f;
    const int start = start_stall();
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, [](const Call& call) {
        if (call.stall == 14 && call.effort == Effort::Refine)
            return figure(Verdict::Same, 0.0, 0.002);  // was noise
        if (call.stall == 13 && call.effort == Effort::Confirm) return figure(Verdict::Unclear, 0.001, 0.004);
        if (call.stall == 12 && call.effort == Effort::Confirm) return figure(Verdict::Faster, 0.018, 0.002);
        return figure(Verdict::Faster, 0.02, 0.01);
    });
    const auto summary = required(f.run(evaluator, {14, 13, 12}));
    const std::vector<Call> expected = {
        {14, start, Effort::Screen}, {14, start, Effort::Refine},  {13, start, Effort::Screen},
        {13, start, Effort::Refine}, {13, start, Effort::Confirm}, {12, start, Effort::Screen},
        {12, start, Effort::Refine}, {12, start, Effort::Confirm},
    };
    CHECK(evaluator.calls == expected);
    CHECK(summary->best_step == 3);
    CHECK_FALSE(f.sink.steps[0].best);
    CHECK_FALSE(f.sink.steps[1].best);
    CHECK(f.sink.steps[2].best);
    // What is kept is the confirmation, not the luckier screening.
    CHECK(summary->best.log == Approx(0.018));
    CHECK(f.sink.steps[0].outcome.speedup.log == Approx(0.0));
}

TEST_CASE("what is only tested is screened once and never becomes best, until it is put up") {
    const SearchContext context = bmm_context();
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, model_answer);
    struct Asks final : Searcher {
        explicit Asks(const Schedule& start) : scripted(start, {14, 14, 14, 14}) {}
        std::string name() const override { return "asks"; }
        std::vector<Proposal> propose(std::size_t) override {
            scripted.promote = ++asked == 3;
            return scripted.propose(1);
        }
        ObserveResult observe(const std::vector<Observation>& seen) override {
            return scripted.observe(seen);
        }
        ScriptedSearcher scripted;
        int asked = 0;
    };
    Schedule slow = context.start;
    ControlCode control = slow.control(0);
    control.stall = 15;
    SearchContext from = context;
    from.start = *Mutation::control(slow, 0, control).applied(slow);
    MemorySink sink;
    TuneRun run(from, {}, std::make_unique<Asks>(from.start), evaluator, &sink, nullptr);
    REQUIRE(run.run({}));
    REQUIRE(sink.steps.size() == 4);
    CHECK(sink.steps[0].outcome.speedup.log == Approx(0.01));
    CHECK_FALSE(sink.steps[0].best);
    CHECK_FALSE(sink.steps[0].repeated);
    CHECK(sink.steps[1].repeated);
    CHECK_FALSE(sink.steps[2].repeated);
    CHECK(sink.steps[2].best);
    CHECK(sink.steps[3].repeated);
    CHECK(evaluator.calls == std::vector<Call>{{14, 15, Effort::Screen},
                                               {14, 15, Effort::Screen},
                                               {14, 15, Effort::Refine},
                                               {14, 15, Effort::Confirm}});
}

TEST_CASE("figures against the incumbent are stored against the start, with the wider interval") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, [](const Call& call) {
        if (call.stall == 14) return figure(Verdict::Faster, 0.020, 0.003);
        return figure(Verdict::Same, 0.001, 0.002);  // against whichever reference
    });
    REQUIRE(f.run(evaluator, {14, 13}));
    CHECK(evaluator.calls.back() == Call{13, 14, Effort::Screen});
    const Outcome& chained = f.sink.steps[1].outcome;
    CHECK(chained.speedup.log == Approx(0.021));
    CHECK(chained.speedup.low == Approx(0.020 - 0.003 + 0.001 - 0.002));
    CHECK(chained.speedup.high == Approx(0.020 + 0.003 + 0.001 + 0.002));
    CHECK(chained.verdict == Verdict::Faster);  // than the start
    CHECK_FALSE(f.sink.steps[1].best);          // but not better than the incumbent
}

TEST_CASE("a confirmed gain below the incumbent's does not replace it") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, [](const Call& call) {
        if (call.stall == 14) return figure(Verdict::Faster, 0.030, 0.001);
        return figure(Verdict::Faster, 0.010, 0.001);
    });
    const auto summary = required(f.run(evaluator, {14, 13}));
    CHECK(summary->best_step == 1);
    CHECK(f.sink.steps[1].outcome.speedup.log == Approx(0.010));
}

TEST_CASE("a lost evaluator ends the run and keeps the log") {
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    evaluator.lost_at = 3;
    const auto summary = required(f.run(evaluator, {15, 14, 13}));
    CHECK(summary->end_text() == "evaluator lost: the worker died");
    CHECK(f.sink.steps.size() == 2);
    CHECK(f.sink.finished);
}

TEST_CASE("a log that cannot be written ends the run with the reason") {
    Fixture f;
    f.sink.fail_at = 2;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    const auto summary = f.run(evaluator, {15, 14, 13});
    REQUIRE_FALSE(summary);
    CHECK(summary.error().what == "disk full");
}

TEST_CASE("a stop request ends the run after the step in hand") {
    struct StopAfter final : RunListener {
        std::stop_source source;
        void on_step(const StepRecord& record, const Schedule&) override {
            if (record.step == 2) source.request_stop();
        }
    } listener;
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    const auto summary =
        required(f.run(evaluator, {15, 14, 13, 12}, {}, &listener, listener.source.get_token()));
    CHECK(summary->end == RunEnd::Stopped);
    CHECK(f.sink.steps.size() == 2);
}

TEST_CASE("a paused run flushes its log, waits, and goes on where it was") {
    struct Pauser final : RunListener {
        PauseGate gate;
        std::jthread other;
        std::vector<RunPhase> phases;
        void on_step(const StepRecord& record, const Schedule&) override {
            if (record.step == 1) gate.pause();
        }
        void on_phase(RunPhase phase) override {
            phases.push_back(phase);
            if (phase == RunPhase::Paused) other = std::jthread([this] { gate.resume(); });
        }
    } listener;
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    REQUIRE(f.run(evaluator, {15, 14, 13}, {}, &listener, {}, &listener.gate));
    CHECK(f.sink.steps.size() == 3);
    CHECK(f.sink.flushes == 2);  // at the pause and at the end
    CHECK(listener.phases == std::vector{RunPhase::Preparing, RunPhase::Running, RunPhase::Paused,
                                         RunPhase::Running, RunPhase::Finished});
}

TEST_CASE("a paused run can be stopped") {
    PauseGate gate;
    gate.pause();
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    Fixture f;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, model_answer);
    const auto summary = required(f.run(evaluator, {15}, {}, nullptr, stop.get_token(), &gate));
    CHECK(summary->end == RunEnd::Stopped);
    CHECK(f.sink.steps.empty());
}

namespace {

// Time that passes only where the test says so.
struct HandClock {
    std::chrono::steady_clock::time_point now{};
    RunClock clock() {
        return [this] { return now; };
    }
};

// Each candidate takes a second; after the third the run is paused for an hour.
struct PausedForAnHour final : RunListener {
    HandClock& time;
    PauseGate& gate;
    int steps = 0, pauses = 0;
    PausedForAnHour(HandClock& clock, PauseGate& pause) : time(clock), gate(pause) {}
    void on_step(const StepRecord&, const Schedule&) override {
        if (++steps == 3) gate.pause();
    }
    void on_phase(RunPhase phase) override {
        if (phase != RunPhase::Paused) return;
        ++pauses;
        time.now += std::chrono::hours(1);
        gate.resume();
    }
};

}  // namespace

TEST_CASE("a pause takes nothing from the time budget, and is in no figure of time") {
    Fixture f;
    HandClock time;
    ScriptedEvaluator evaluator(EvaluatorKind::Model, [&](const Call& call) {
        time.now += std::chrono::seconds(1);
        return model_answer(call);
    });
    PauseGate gate;
    PausedForAnHour listener(time, gate);
    RunSettings settings;
    settings.budget.time = std::chrono::seconds(5);
    settings.clock = time.clock();
    const auto summary =
        required(f.run(evaluator, {15, 14, 13, 12, 11, 10, 9, 8}, settings, &listener, {}, &gate));
    CHECK(listener.pauses == 1);
    CHECK(summary->end == RunEnd::Budget);
    CHECK(summary->steps == 5);  // 5 s of 1 s each, before and after the pause
    CHECK(summary->seconds == Approx(5));
    REQUIRE(f.sink.steps.size() == 5);
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(f.sink.steps[i].time_us == static_cast<std::int64_t>(i + 1) * 1'000'000);
}
