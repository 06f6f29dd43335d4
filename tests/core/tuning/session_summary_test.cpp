// SPDX-License-Identifier: GPL-3.0-or-later
// What a list of sessions says of a run: what holds of its best now, not what the run once said of itself.
#include "core/tuning/session_summary.h"

#include "core/evidence/step_measurement.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct TwoRuns {
    const TempFolder folder;
    const std::filesystem::path file = folder / "s.db";
    const KernelPtr kernel = sample_kernel();
    std::shared_ptr<SessionWriter> session = open_or_fail(file, kernel);
    RunId first = run(0.06), second = run(0.04);

    // Of two steps, the second its best, confirmed as so much faster on a GPU.
    RunId run(double log_speedup, std::optional<Cache> cache = {}, EvaluatorKind kind = EvaluatorKind::Gpu) {
        LogMaker log(kernel, 1, 4);
        RunHeader header = header_for_tests();
        header.evaluator.kind = kind;
        header.evaluator.gpu.cache = cache;
        RunId id = 0;
        auto sink = required(session->begin_run(header, log.start(), &id));
        REQUIRE((*sink)->append(log.next()));
        StepRecord best = log.next();
        best.best = true;
        best.outcome = {OutcomeKind::Ok,
                        Verdict::Faster,
                        log_speedup,
                        log_speedup - 0.01,
                        log_speedup + 0.01,
                        9,
                        40,
                        {},
                        {}};
        best.outcome.alpha = 0.001;
        REQUIRE((*sink)->append(best));
        RunSummary summary;
        summary.best_step = best.step;
        summary.best.log = log_speedup;
        summary.end = RunEnd::Budget;
        REQUIRE((*sink)->finish(summary));
        return id;
    }
    void measured(RunId run, const Comparison& seen, Cache cache = Cache::Hot) {
        REQUIRE(session->add_measurement(measurement_record(seen, run, 2, "again", cache)));
    }
    SessionSummary summary() {
        REQUIRE(session->flush());
        SessionSummary out = summarise_session(file);
        REQUIRE(out.problem.empty());
        REQUIRE(out.best());
        return out;
    }
};

}  // namespace

TEST_CASE("the best of a session is that of the run that said most, as long as nothing else is known") {
    TwoRuns runs;
    const SessionSummary summary = runs.summary();
    CHECK(summary.best()->run == runs.first);
    CHECK(summary.best()->speedup().log == Approx(0.06));
    CHECK_FALSE(summary.best()->again);
}

TEST_CASE("a best that was measured again stands where fresh processes see it") {
    TwoRuns runs;
    runs.measured(runs.first, measured_faster());  // +2 %, ten processes
    const SessionSummary summary = runs.summary();
    CHECK(summary.best()->run == runs.second);
    CHECK(summary.best()->speedup().log == Approx(0.04));
    REQUIRE(summary.bests.at(0).again);
    CHECK(summary.bests[0].speedup().log == Approx(0.02).margin(1e-3));
    CHECK(summary.bests[0].again->loads == 10);
    CHECK(summary.bests[0].logged.speedup.log == Approx(0.06));
    CHECK(summary.bests[0].speedup().low > 0.018);
    CHECK(summary.bests[0].speedup().high < 0.022);
}

TEST_CASE("a cold measurement of a run that was judged hot says nothing of its figure") {
    TwoRuns runs;
    runs.measured(runs.first, measured_faster(), Cache::Cold);
    CHECK(runs.summary().best()->speedup().log == Approx(0.06));
}

TEST_CASE("a hot measurement does not stand for the figure of a run that was judged cold") {
    TwoRuns runs;
    const RunId cold = runs.run(0.08, Cache::Cold);
    runs.measured(cold, measured_faster());
    CHECK(runs.summary().best()->run == cold);
    CHECK(runs.summary().best()->speedup().log == Approx(0.08));
    runs.measured(cold, measured_faster(), Cache::Cold);
    const SessionSummary summary = runs.summary();
    CHECK(summary.best()->run == runs.first);
    REQUIRE(summary.bests.at(2).again);
    CHECK(summary.bests[2].cache == Cache::Cold);
    CHECK(summary.bests[2].device == "Some GPU, driver 1");  // not the run's
}

TEST_CASE("a modelled best that a GPU has measured since is a measured one") {
    TwoRuns runs;
    const RunId modelled = runs.run(0.5, {}, EvaluatorKind::Model);
    CHECK_FALSE(runs.summary().bests.at(2).measured());
    CHECK(runs.summary().best()->run == runs.first);
    runs.measured(modelled, measured_faster());
    const SessionSummary summary = runs.summary();
    CHECK(summary.best()->run == runs.first);
    CHECK(summary.bests.at(2).measured());
    CHECK(summary.bests[2].speedup().log == Approx(0.02).margin(1e-3));
}

TEST_CASE(
    "a best that went wrong when it was measured again is behind all others, whatever else is known of it") {
    TwoRuns runs;
    runs.measured(runs.first, measured_faster());
    Comparison wrong = measured_faster();
    wrong.outcome.kind = OutcomeKind::WrongResult;
    runs.measured(runs.first, wrong);
    SessionSummary summary = runs.summary();
    CHECK(summary.best()->run == runs.second);
    CHECK(summary.bests.at(0).failed == "wrong-result");
    CHECK_FALSE(summary.bests[0].again);
    runs.measured(runs.second, wrong);
    summary = runs.summary();
    CHECK(summary.best()->failed == "wrong-result");
}
