// SPDX-License-Identifier: GPL-3.0-or-later
// A log is a file that anybody can edit: what it says of a modelled step must follow from the schedule.
#include "core/evidence/claim.h"
#include "core/evidence/run_report.h"
#include "core/legality/hazard_checker.h"
#include "core/model/model_version.h"
#include "core/model/sm_model.h"
#include "tests/cli/program.h"
#include "tests/core/evidence/edited_log.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// Forty steps, judged by the model as a run judges them.
struct ModelledLog : Edited {
    StepId best = 0;
    ModelledLog() {
        const auto model = make_model_evaluator(kernel, {});
        LogMaker log(kernel, 1, 4);
        auto session = open_or_fail(file, kernel);
        RunHeader header = header_for_tests();
        header.evaluator = model->info();
        header.start_hash = kernel->hash();
        RunId run = 0;
        auto sink = session->begin_run(header, log.start(), &run).value();
        RunSummary summary;
        for (int i = 0; i < 40; ++i) {
            StepRecord record = log.next();
            const Schedule schedule = log.schedule(record.step);
            record.outcome =
                model->evaluate(std::span(&schedule, 1), log.start(), Effort::Screen, {})->front();
            record.repeated = false;
            record.best = record.outcome.speedup.log > summary.best.log;
            if (record.best) {
                summary.best_step = record.step;
                summary.best.log = record.outcome.speedup.log;
            }
            REQUIRE(sink->append(record));
        }
        REQUIRE(sink->finish(summary));
        REQUIRE(session->close());
        best = summary.best_step;
    }
};

}  // namespace

TEST_CASE("modelled figures are recomputed, and an edited one is named with what it should be") {
    const ModelledLog log;
    REQUIRE(log.best > 0);
    auto whole = required(log.all());
    CHECK(whole->follow == 40);
    CHECK(whole->unchecked == 0);
    CHECK(log.one(log.best).value().empty());
    CHECK(log.one(0).value().empty());
    log.noticed(log.best, "log_speedup", "0.5");
    log.noticed(log.best, "log_speedup = 0.5, low = 0.5, high", "0.5");
    log.noticed(log.best, "cost", "cost * 0.9");
    log.noticed(log.best, "verdict", "'SLOWER'");
    // Consistent in itself, but not what the model says.
    log.noticed(log.best, "cost = cost * exp(log_speedup - 0.5), log_speedup = 0.5, low = 0.5, high", "0.5");
}

TEST_CASE("a best step that did not run well is none") {
    const ModelledLog log;
    REQUIRE(log.all());
    log.sql("UPDATE mutations SET outcome = 'wrong-result' WHERE step = " + std::to_string(log.best));
    CHECK_FALSE(log.all());
}

TEST_CASE("a step that a GPU saw fail is claimed by nobody") {
    const ModelledLog log;
    const auto claimed = [&] {
        auto reader = SessionReader::open(log.file).value();
        return claim_of(*reader, log.kernel, reader->run(1).value(), log.best, "s.db");
    };
    REQUIRE(claimed());
    for (const char* outcome : {"wrong-result", "wild-store", "fault", "hang"}) {
        log.sql(std::string("UPDATE mutations SET outcome = '") + outcome + "'");
        auto refused = claimed();
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::Refused);
        CHECK_THAT(refused.error().what, contains_text(outcome));
    }
    // Nothing was seen of the schedule itself.
    log.sql("UPDATE mutations SET outcome = 'worker-lost'");
    CHECK(claimed().value().stamp() == "unmeasured");
}

TEST_CASE("a measurement that keeps no samples counts as one that is not checked") {
    const ModelledLog log;
    CHECK(log.all().value().unchecked == 0);
    log.sql(
        "INSERT INTO measurements (run, step, purpose, made, outcome, verdict, log_speedup, low, high, cost, "
        "pairs, device, set_aside, alpha, energy_mj, reference_energy_mj, pair_deviation, shape_count, "
        "slower_shapes, json) VALUES (1, 3, 'measure', '2026-01-01T00:00:00Z', 'ok', 'FASTER', 0.3, 0.29, "
        "0.31, "
        "5, 24, 0, 0, 0.01, 0, 0, 0, 0, 0, '{}')");
    const auto checked = required(log.all());
    CHECK(checked->unchecked == 1);
    CHECK_THAT(checked->why, contains_text("no samples of a measurement"));
}

TEST_CASE("figures of another version of the model are not refused, must fit their costs, and say so") {
    const ModelledLog log;
    const auto said = [&](const std::string& version) {
        log.sql("UPDATE machines SET json = " + version);
        auto checked = required(log.all());
        CHECK(checked->unchecked == 40);
        CHECK_THAT(checked->why, contains_text("modelled by another version of the model"));
        log.noticed(log.best, "log_speedup = 0.5, low = 0.5, high", "0.5");
    };
    // The version says it, though this model gives the same figures.
    said("json_set(json, '$.model_version', 4000)");
    // Files of before say it by the cost of the original.
    log.sql("UPDATE machines SET original_cost = original_cost * 1.25");
    log.sql("UPDATE mutations SET cost = cost * 1.25");
    said("json_set(json, '$.model_version', 4000)");
    said("json_remove(json, '$.model_version')");
}

TEST_CASE("what this version of the model judged costs what this version says, the original, too") {
    const ModelledLog log;
    REQUIRE(log.all());
    log.sql("UPDATE machines SET original_cost = original_cost * 1.25");
    log.sql("UPDATE mutations SET cost = cost * 1.25");
    const auto checked = log.all();
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::Corrupt);
    CHECK_THAT(checked.error().message(), contains_text("this version of the model"));
}

TEST_CASE("what the model judged names no GPU, whatever its row says") {
    const ModelledLog log;
    log.sql("UPDATE machines SET device = 'NVIDIA H200, driver 580.1', unit = 'us'");
    const auto reader = SessionReader::open(log.file).value();
    const RunInfo run = reader->run(1).value();
    CHECK(run.evaluator.device == kNotItsDevice);
    CHECK(run.evaluator.unit == "modelled cycles");
    const auto claimed = claim_of(*reader, log.kernel, run, log.best, "s.db");
    REQUIRE_FALSE(claimed);
    CHECK(claimed.error().code == ErrorCode::Corrupt);
    CHECK_FALSE(log.all());
}

TEST_CASE("a run that says it started from the original, and did not, is claimed by nobody") {
    const Edited log;
    const auto model = make_model_evaluator(log.kernel, {});
    LogMaker made(log.kernel, 1, 4);
    const StepRecord first = made.next();
    const Schedule start = made.schedule(first.step);
    {
        auto session = open_or_fail(log.file, log.kernel);
        RunHeader header = header_for_tests();
        header.evaluator = model->info();
        header.start_hash = start.hash();
        RunId run = 0;
        auto sink = session->begin_run(header, start, &run).value();
        StepRecord step;
        step.step = 1;
        step.schedule_hash = start.hash();
        step.outcome = model->evaluate(std::span(&start, 1), start, Effort::Screen, {})->front();
        REQUIRE(sink->append(step));
        REQUIRE(sink->finish({}));
        REQUIRE(session->close());
    }
    const auto reader = SessionReader::open(log.file).value();
    const auto claimed = claim_of(*reader, log.kernel, reader->run(1).value(), 1, "s.db");
    REQUIRE_FALSE(claimed);
    CHECK_THAT(claimed.error().message(), contains_text("its start is another schedule"));
}

TEST_CASE("a session that names more threads of a block than a launch can have does not fill the memory") {
    for (const char* threads : {"1025", "100000", "1000000000"}) {
        const ModelledLog log;
        log.sql(std::string("UPDATE machines SET json = '{\"threads_per_block\":") + threads + "}'");
        REQUIRE(log.all());
    }
}

TEST_CASE("a run whose best is illegal is neither verified nor claimed, however well its figures fit") {
    const Edited log;
    const auto checker = *HazardChecker::create(log.kernel);
    Schedule illegal(log.kernel);
    StepRecord record;
    for (InstrId id = 0; id < illegal.size(); ++id) {
        ControlCode code = illegal.control(id);
        code.stall = 1;
        record.mutation = Mutation::control(illegal, id, code);
        if (code == illegal.control(id) || checker->allows(illegal, record.mutation)) continue;
        illegal = record.mutation.applied(illegal).value();
        break;
    }
    REQUIRE_FALSE(checker->legal(illegal));
    const auto model = make_model_evaluator(log.kernel, {});
    const Schedule start(log.kernel);
    record.step = 1;
    record.schedule_hash = illegal.hash();
    record.outcome = model->evaluate(std::span(&illegal, 1), start, Effort::Screen, {})->front();
    record.best = true;
    {
        auto session = open_or_fail(log.file, log.kernel);
        RunHeader header = header_for_tests();
        header.evaluator = model->info();
        header.start_hash = log.kernel->hash();
        RunId run = 0;
        auto sink = session->begin_run(header, start, &run).value();
        REQUIRE(sink->append(record));
        RunSummary summary;
        summary.best_step = 1;
        summary.best.log = record.outcome.speedup.log;
        REQUIRE(sink->finish(summary));
        REQUIRE(session->close());
    }
    REQUIRE(log.all());  // hashes and figures are what they say
    const auto reader = SessionReader::open(log.file).value();
    const auto proven = check_best_is_legal(reader->run(1).value(), illegal);
    REQUIRE_FALSE(proven);
    CHECK(proven.error().code == ErrorCode::Refused);
    const auto verified = test::run_program({"replay", log.file.string(), "--verify"});
    CHECK(verified.code != 0);
    CHECK_THAT(verified.err, contains_text("its best, step 1, is illegal"));
    const auto data = required(read_report_data(*reader, log.file, 1));
    const std::string html = report_html(*data);
    CHECK_THAT(html, contains_text("No claim"));
    CHECK_THAT(html, contains_text("is illegal and is not exported"));
    CHECK(html.find("in modelled cycles</p>") == std::string::npos);
}

TEST_CASE("a modelled run does not become a measured one by what it is called") {
    const ModelledLog log;
    REQUIRE(log.one(log.best));
    log.sql("UPDATE machines SET evaluator = 'gpu'");
    const auto checked = log.one(log.best);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::Corrupt);
    CHECK_THAT(checked.error().message(),
               contains_text("the samples that its figure is made of are not stored"));
    CHECK_FALSE(log.all());
}
