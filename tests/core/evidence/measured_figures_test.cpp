// SPDX-License-Identifier: GPL-3.0-or-later
// A log is a file that anybody can edit: what it says of a measured step must follow from its samples.
#include <fmt/format.h>

#include "core/evidence/claim_parts.h"
#include "core/evidence/gpu_figures.h"
#include "core/evidence/measured_code.h"
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/protocol/statistics.h"
#include "tests/core/evidence/edited_log.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

constexpr double kPair = 0.002, kLoad = 0.0005, kWithin = 0.002;

std::vector<float> pairs_around(double mean, int count, int seed) {
    std::vector<float> out;
    for (int i = 0; i < count; ++i)
        out.push_back(static_cast<float>(mean + 0.0002 * ((seed * 7 + i * 3) % 11 - 5)));
    return out;
}

// As gpu_bench.cpp makes it. `loads` 0: a screening.
Outcome measured(double mean, int loads, int pairs, double alpha) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.alpha = alpha;
    Interval interval;
    if (loads == 0) {
        out.samples = pairs_around(mean, pairs, 1);
        const Estimate e = estimate(out.samples, kPair);
        interval = pair_interval(e, std::hypot(kPair, kLoad), alpha);
        out.speedup.log = e.mean;
    } else {
        std::vector<std::vector<float>> by_load;
        for (int load = 0; load < loads; ++load) {
            by_load.push_back(pairs_around(mean + 0.0004 * (load % 3 - 1), pairs, load));
            out.samples.insert(out.samples.end(), by_load.back().begin(), by_load.back().end());
        }
        const LoadsVerdict judged = judge_loads(by_load, kPair, kLoad, alpha);
        interval = judged.interval;
        out.speedup.log = judged.loads.mean;
    }
    out.speedup.low = interval.low;
    out.speedup.high = interval.high;
    out.verdict = out.speedup.verdict(kWithin);
    out.pairs = static_cast<std::uint32_t>(out.samples.size());
    for (int i = 0; i < std::max(loads, 1); ++i)
        out.states.push_back({1980, 40, 300, 0});
    return out;
}

Outcome onto(Outcome out, const Outcome& incumbent) {
    out.speedup = out.speedup + incumbent.speedup;
    out.verdict = out.speedup.verdict(0);
    return out;
}

// Screened, promoted (ended after two loads), confirmed; then screened and promoted against the new best,
// with blocks set aside; a repeated one; a wrong result.
struct MeasuredLog : Edited {
    MeasuredLog() {
        LogMaker log(kernel, 1, 1);
        auto session = open_or_fail(file, kernel);
        RunHeader header = header_for_tests("greedy");
        header.evaluator.kind = EvaluatorKind::Gpu;
        header.evaluator.device = "Some GPU";
        MachineInfo& machine = header.evaluator.gpu;
        machine.devices.resize(2);
        machine.devices[1].calibration.emplace();
        machine.devices[1].calibration->pair_deviation = 0.002;
        machine.devices[1].calibration->load_deviation = 0.0005;
        machine.same_within = 0.002;
        RunId run = 0;
        auto sink = session->begin_run(header, log.start(), &run).value();
        const Outcome best = measured(0.03, 12, 10, confirmation_alpha(1));
        Outcome aside = onto(measured(-0.001, 4, 10, kPromoteAlpha), best);
        aside.throttled_blocks = 2;
        std::vector<Outcome> outcomes = {measured(0.001, 0, 4, kScreenAlpha),
                                         measured(0.004, 2, 10, kPromoteAlpha),
                                         best,
                                         onto(measured(-0.01, 0, 2, kScreenAlpha), best),
                                         aside,
                                         {},
                                         {}};
        outcomes.back().kind = OutcomeKind::WrongResult;
        StepRecord fourth;
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            StepRecord record = log.next();
            record.outcome = outcomes[i];
            record.outcome.device = 1;
            record.outcome.code_hash = record.schedule_hash;
            record.best = i == 2;
            record.repeated = i == 5;
            if (i == 3 || i == 4) record.reference_step = 3;
            if (record.repeated) record.reference_step = 4;
            record.time_us = 1000 * record.step;
            if (i == 3) fourth = record;
            if (record.repeated) {
                record.outcome = fourth.outcome;
                record.outcome.samples.clear();
            }
            REQUIRE(sink->append(record));
        }
        RunSummary summary;
        summary.best_step = 3;
        summary.best.log = best.speedup.log;
        REQUIRE(sink->finish(summary));
        REQUIRE(session->close());
        // The log does not say that two schedules are one, so the copy gets the hash of what it copies here.
        sql("UPDATE mutations SET schedule_hash = (SELECT schedule_hash FROM mutations WHERE step = 4) "
            "WHERE step = 6");
    }
};

}  // namespace

TEST_CASE("measured figures are recomputed from their samples, on every rung") {
    const MeasuredLog log;
    auto whole = required(log.all());
    CHECK(whole->follow == 6);
    CHECK(whole->unchecked == 0);
    for (const StepId step : {1, 2, 3, 4, 5, 6}) {
        log.noticed(step, "log_speedup", "log_speedup + 0.01");
        log.noticed(step, "log_speedup = 0.5, low = 0.49, high", "0.51");
        log.noticed(step, "low", "low + 0.0005");
        log.noticed(step, "verdict", "'SAME'");
    }
    for (const StepId step : {1, 2, 3, 4, 5}) {
        log.noticed(step, "samples", "NULL");
        log.noticed(step, "samples", "substr(samples, 5)");
        log.noticed(step, "samples", "zeroblob(length(samples))");
    }
    // A screening called a confirmation, and a confirmation with another error probability.
    log.noticed(1, "alpha", "0.001");
    log.noticed(1, "alpha", "0");
    log.noticed(3, "alpha", "0");
    log.noticed(3, "alpha", "0.01");
    // Another reference: the start, a step that never became best, the step itself, one that is not there.
    for (const char* other : {"0", "2", "4", "99"})
        log.noticed(4, "reference_step", other);
    for (const char* other : {"0", "3", "6", "99"})
        log.noticed(6, "reference_step", other);
}

TEST_CASE(
    "a figure that stands beside other code than it was measured of is told, with everything moved that it "
    "follows from") {
    const MeasuredLog log;
    for (const StepId step : {1, 2, 3, 4, 5, 6})
        log.noticed(step, "code_hash", "'00000000000000000000000000000001'");
    // Everything that the GPU said of step 1, put beside step 2.
    const std::string columns =
        "outcome, verdict, log_speedup, low, high, cost, pairs, samples, detail, device, set_aside, alpha, "
        "energy_mj, reference_energy_mj, states, pair_deviation, code_hash";
    log.sql("UPDATE mutations SET (" + columns + ") = (SELECT " + columns +
            " FROM mutations WHERE step = 1) WHERE step = 2");
    const auto moved = log.one(2);
    REQUIRE_FALSE(moved);
    CHECK_THAT(moved.error().message(), contains_text("run 1, step 2 holds what was seen of code"));
}

// The worker itself, on a stand-in driver: what it sends for every rung, early ends among them.
TEST_CASE("figures of the worker follow from the samples that it sends") {
    ClientSettings settings;
    settings.command = test::fake_driver_command();
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;
    prepare.workload = test::workload_of();
    prepare.cubin = test::module_of("20");
    GpuClient client(settings, prepare);
    if (auto ready = client.ready({}); !ready) FAIL(ready.error().message());
    std::vector<StepRecord> steps;
    const std::pair<Effort, Sampling> asked[] = {{Effort::Screen, {}},
                                                 {Effort::Screen, {.by_noise = true}},
                                                 {Effort::Refine, {}},
                                                 {Effort::Refine, {.loads = 4, .by_noise = true}},
                                                 {Effort::Confirm, {}}};
    for (const auto& [effort, sampling] : asked) {
        auto outcomes = required(client.evaluate(
            effort, test::image_of("20"),
            {test::image_of("19"), test::image_of("20"), test::image_of("21"), test::image_of("19.95")}, {},
            effort == Effort::Confirm ? confirmation_alpha(1) : 0, {}, sampling));
        for (const BenchOutcome& o : *outcomes) {
            REQUIRE(o.kind == OutcomeKind::Ok);
            StepRecord record;
            record.step = static_cast<StepId>(steps.size()) + 1;
            record.time_us = record.step;
            Outcome& out = record.outcome;
            out.kind = OutcomeKind::Ok;
            out.verdict = o.verdict;
            out.speedup = o.speedup;
            out.samples = o.samples;
            out.pairs = static_cast<std::uint32_t>(o.samples.size());
            out.states = o.states;
            out.alpha = o.alpha;
            out.pair_deviation = o.pair_deviation;
            steps.push_back(record);
        }
    }
    RunInfo run;
    run.evaluator.kind = EvaluatorKind::Gpu;
    run.evaluator.gpu.calibration = client.calibration();
    run.evaluator.gpu.same_within = kWithin;
    for (StepRecord& record : steps) {
        // Each as the first confirmation of its run, whose error probability it was given.
        auto checked = check_direct_figure(run, record);
        INFO("step " << record.step << ", " << record.outcome.samples.size() << " samples");
        if (!checked) FAIL(checked.error().message());
        CHECK(*checked == "");
        // Another deviation gives another interval: of a look it is noticed, of a claim it is not asked.
        record.outcome.pair_deviation = 1;
        const bool claim = record.outcome.alpha <= kConfirmAlpha;
        CHECK(check_direct_figure(run, record).has_value() == claim);
    }
}

TEST_CASE("what stands on an edited best step is noticed, too") {
    const MeasuredLog log;
    log.sql(
        "UPDATE mutations SET log_speedup = log_speedup + 0.1, low = low + 0.1, high = high + 0.1 "
        "WHERE step IN (3, 4)");
    auto checked = log.one(4);
    REQUIRE_FALSE(checked);
    CHECK_THAT(checked.error().message(), contains_text("step 3"));
}

TEST_CASE("a measured step without samples is none") {
    const MeasuredLog measured;
    measured.noticed(1, "samples", "NULL, pairs = 0");
}

TEST_CASE("sessions that store less are not refused, and say what was not checked") {
    const MeasuredLog log;
    SECTION("schema 8: no reference") {
        log.sql("UPDATE mutations SET reference_step = NULL");
        CHECK(log.all().value().unchecked == 5);
        CHECK_THAT(log.one(4).value(), contains_text("which step it was compared with"));
        CHECK_THAT(log.one(6).value(), contains_text("which step it repeats"));
        CHECK(log.one(3).value().empty());  // a confirmation is against the start
        log.noticed(3, "log_speedup", "0.5");
    }
    SECTION("no calibration") {
        log.sql("UPDATE machines SET json = '{}'");
        CHECK_THAT(log.one(3).value(), contains_text("no calibration"));
    }
    SECTION("no readings of the GPU, which count the loads") {
        log.sql("UPDATE mutations SET states = NULL WHERE step = 5");
        CHECK_THAT(log.one(5).value(), contains_text("how its samples lie in loads"));
    }
}

TEST_CASE("a figure of a resumed part is recomputed with the calibration of that part") {
    const MeasuredLog log;
    // Steps 3 and on are of a part on another machine, whose calibration is the one that they were made with.
    log.sql(
        "INSERT INTO machines SELECT 2, evaluator, 'Another GPU', unit, original_cost, timer_step_us, "
        "aa_spread, "
        "detectable, deterministic, json FROM machines WHERE id = 1;"
        "UPDATE machines SET json = replace(json, '0.0005', '0.009') WHERE id = 1");
    CHECK_FALSE(log.one(3));  // as long as the log does not say it
    log.sql("INSERT INTO parts VALUES (1, 3, 2)");
    for (const StepId step : {3, 4, 5, 6})
        CHECK(log.one(step).value().empty());
    const auto refused = log.one(2);
    REQUIRE_FALSE(refused);  // of the first part, whose calibration is another now
    CHECK(refused.error().code == ErrorCode::Corrupt);
    log.sql("UPDATE machines SET json = replace(json, '0.009', '0.0005') WHERE id = 1");
    CHECK(log.all().value().unchecked == 0);
    log.noticed(3, "low", "low - 0.001");
    log.noticed(4, "log_speedup", "0.5");
    // Confirmations are counted over all parts, so that a later one gets no more of the error probability.
    log.noticed(3, "alpha", "0.01");
    auto reader = SessionReader::open(log.file).value();
    const RunInfo run = reader->run(1).value();
    CHECK(parts_of(run, reader->step(1, 2).value(), log.file).device == "Some GPU");
    CHECK(parts_of(run, reader->step(1, 3).value(), log.file).device == "Another GPU");
}

TEST_CASE("a measurement of a step must follow from its loads") {
    const Outcome good = measured(0.02, 8, 10, kConfirmAlpha);
    MeasurementRecord record{{good, {}}, 1, 3, "measure", "2026-01-01T00:00:00Z", {}, {}};
    for (auto at = good.samples.begin(); at != good.samples.end(); at += 10)
        record.details.by_load.emplace_back(at, at + 10);
    record.details.same_within = 0.002;
    record.details.calibration.emplace();
    record.details.calibration->pair_deviation = 0.002;
    record.details.calibration->load_deviation = 0.0005;
    CHECK(check_measurement_figures({record}, 3));
    record.outcome.speedup.log += 0.01;
    CHECK_FALSE(check_measurement_figures({record}, 0));
    CHECK(check_measurement_figures({record}, 4));
    record.details = {};
    CHECK(check_measurement_figures({record}, 3));
}

TEST_CASE("a measurement beside the log is of the code of its step") {
    const MeasuredLog log;
    auto reader = SessionReader::open(log.file).value();
    const RunInfo run = reader->run(1).value();
    MeasurementRecord record{
        {measured(0.02, 8, 10, kConfirmAlpha), {}}, 1, 3, "measure", "2026-01-01T00:00:00Z", {}, {}};
    const auto check = [&](StepId step) { return check_measured_code(*reader, run, {record}, step); };
    CHECK(check(3));  // says nothing
    record.outcome.code_hash = reader->step(1, 3)->schedule_hash;
    CHECK(check(3));
    CHECK(check(0));
    record.step = 2;
    CHECK(check(3));  // of another step than is asked for
    for (const StepId step : {2, 0}) {
        const auto moved = check(step);
        REQUIRE_FALSE(moved);
        CHECK(moved.error().code == ErrorCode::Corrupt);
        CHECK_THAT(moved.error().message(),
                   contains_text("the measurement of run 1, step 2, made 2026-01-01"));
    }
    record.step = 0;
    CHECK_FALSE(check(0));
    record.outcome.code_hash = run.start_hash;
    CHECK(check(0));
    record.step = 99;
    CHECK_FALSE(check(99));
}
