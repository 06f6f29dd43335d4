// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <thread>

#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/filled_outcome.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

RunId session_with_log(const std::filesystem::path& path, const KernelPtr& kernel, LogMaker& log, int steps) {
    auto session = open_or_fail(path, kernel);
    return log_run(*session, log, steps);
}

}  // namespace

TEST_CASE("what was logged is read back, field for field") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 1, 5);
    std::vector<StepRecord> written;
    RunId run = 0;
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        auto sink = required(session->begin_run(header_for_tests(), log.start(), &run));
        for (int i = 0; i < 300; ++i) {
            StepRecord record = log.next();
            if (i == 7) {
                record.outcome.kind = OutcomeKind::Fault;
                record.outcome.detail = "CUDA_ERROR_ILLEGAL_ADDRESS";
                record.outcome.samples.clear();
            }
            if (i == 9) record.outcome = test::filled_outcome();
            record.best = i == 20 || i == 250;
            record.repeated = i == 30;
            record.reference_step = i == 30 ? std::optional<StepId>() : i / 2;
            REQUIRE((*sink)->append(record));
            written.push_back(record);
        }
        REQUIRE((*sink)->metric(10, "entropy", 1.5));
        REQUIRE((*sink)->metric(64, "entropy", 1.25));
        RunSummary summary;
        summary.evaluated = 299;
        summary.best_step = 251;
        summary.best.log = 0.125;
        summary.end = RunEnd::Budget;
        REQUIRE((*sink)->finish(summary));
        REQUIRE(session->add_note(run, 12, "why is this slower?"));
        MeasurementRecord measured;
        measured.run = run;
        measured.step = 251;
        measured.purpose = "confirm";
        measured.outcome = written[9].outcome;
        measured.details.loads = 8;
        REQUIRE(session->add_measurement(measured));
        REQUIRE(session->close());
    }
    CHECK_FALSE(std::filesystem::exists(folder / "s.db-wal"));  // one file again
    CHECK_FALSE(std::filesystem::exists(folder / "s.db.lock"));

    auto reader = required(SessionReader::open(folder / "s.db"));
    auto stored = required((*reader)->kernel());
    CHECK((*stored)->hash() == kernel->hash());
    CHECK((*reader)->workload_json().value() == "{\"kernel\":\"k\"}");
    CHECK((*reader)->listing_text().value() == "listing text\n");

    auto steps = required((*reader)->steps(run));
    REQUIRE(steps->size() == written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const StepRecord& a = written[i];
        const StepRecord& b = (*steps)[i];
        CHECK(a.step == b.step);
        CHECK(a.parent == b.parent);
        CHECK(a.reference_step == b.reference_step);
        CHECK(a.mutation == b.mutation);
        CHECK(a.schedule_hash == b.schedule_hash);
        CHECK(test::text_of(a.outcome) == test::text_of(b.outcome));
        CHECK(a.reward == b.reward);
        CHECK(a.accepted == b.accepted);
        CHECK(a.best == b.best);
        CHECK(a.repeated == b.repeated);
        CHECK(a.time_us == b.time_us);
    }

    auto info = required((*reader)->run(0));
    CHECK(info->id == run);
    CHECK(info->agent == "random");
    CHECK(info->seed == 0xfedcba9876543210ull);
    CHECK(info->budget == "2000steps");
    CHECK(info->evaluator.device == "SM model sm_90");
    CHECK(info->evaluator.original_cost == 1234.5);
    CHECK(info->start_hash == kernel->hash());
    CHECK(info->steps == 300);
    CHECK(info->best_step == 251);
    CHECK(info->best_log_speedup == written[250].outcome.speedup.log);
    CHECK(info->end == "budget");
    auto metrics = required((*reader)->metrics(run, 10));
    REQUIRE(metrics->size() == 1);
    CHECK(metrics->front().value == 1.25);
    CHECK((*reader)->notes(run).value().at(0).text == "why is this slower?");
    auto database = required(sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadOnly));
    auto measured = required((*reader)->measurements(0));
    CHECK(test::text_of(measured->at(0).outcome) == test::text_of(written[9].outcome));
    CHECK((*reader)->writer_process() == std::nullopt);
}

TEST_CASE("every step rebuilds to the schedule that was logged, whatever the shape of the tree") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const StepId reach = GENERATE(1, 3, 40, 100000);
    LogMaker log(kernel, 7, reach);
    auto session = open_or_fail(folder / "s.db", kernel);
    const RunId run = log_run(*session, log, 1500);

    auto reader = SessionReader::open(folder / "s.db");  // while the writer is there
    REQUIRE(reader);
    CHECK((*reader)->verify(kernel, run).value() == 1500);
    for (const StepId step : {0, 1, 127, 128, 129, 255, 256, 257, 700, 1024, 1499, 1500}) {
        auto schedule = required((*reader)->schedule_at(kernel, run, step));
        CHECK(*schedule == log.schedule(step));
    }
    CHECK((*reader)->schedule_at(kernel, run, 1501).error().code == ErrorCode::NotFound);
    CHECK((*reader)->schedule_at(kernel, run, -1).error().code == ErrorCode::NotFound);
    CHECK((*reader)->schedule_at(kernel, run + 1, 1).error().code == ErrorCode::NotFound);
    CHECK((*reader)->schedule_at(other_kernel(), run, 1).error().code == ErrorCode::BadInput);
}

TEST_CASE("a run may start from any schedule, not only the original") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker walk(kernel, 3, 1);
    for (int i = 0; i < 20; ++i)
        walk.next();
    const Schedule start = walk.schedule(20);
    auto session = open_or_fail(folder / "s.db", kernel);
    RunHeader header = header_for_tests("hand");
    header.start_run = 4;
    header.start_parent = 20;
    RunId run = 0;
    auto sink = required(session->begin_run(header, start, &run));
    StepRecord record = walk.next_on(20);
    record.step = 1;
    record.parent = 0;
    REQUIRE((*sink)->append(record));
    REQUIRE((*sink)->flush());
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->schedule_at(kernel, run, 0).value() == start);
    CHECK((*reader)->schedule_at(kernel, run, 1).value() == walk.schedule(21));
    CHECK((*reader)->run(run)->start_hash == start.hash());
    CHECK((*reader)->run(run)->start_parent == 20);
}

TEST_CASE("steps come in pages") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 3);
    auto session = open_or_fail(folder / "s.db", kernel);
    const RunId run = log_run(*session, log, 100);
    auto reader = required(SessionReader::open(folder / "s.db"));
    auto page = required((*reader)->steps(run, 40, 10));
    REQUIRE(page->size() == 10);
    CHECK(page->front().step == 41);
    CHECK(page->back().step == 50);
    CHECK((*reader)->steps(run, 95, 10)->size() == 5);
    CHECK((*reader)->steps(run, 100, 10)->empty());
    CHECK((*reader)->steps(99).error().code == ErrorCode::NotFound);
}

TEST_CASE("a run without an end was interrupted and goes on after its last step") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 30);
    const RunId run = session_with_log(folder / "s.db", kernel, log, 400);
    {
        auto reader = required(SessionReader::open(folder / "s.db"));
        CHECK((*reader)->run(run)->end.empty());
        CHECK((*reader)->run(run)->steps == 400);
    }
    auto session = open_or_fail(folder / "s.db", kernel);
    CHECK(session->continue_run(run + 7, header_for_tests().evaluator).error().code == ErrorCode::NotFound);
    auto sink = required(session->continue_run(run, header_for_tests().evaluator));
    for (int i = 0; i < 400; ++i)
        REQUIRE((*sink)->append(log.next()));
    RunSummary summary;
    summary.end = RunEnd::Stopped;
    REQUIRE((*sink)->finish(summary));
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->run(run)->steps == 800);
    CHECK((*reader)->run(run)->end == "stopped");
    CHECK((*reader)->verify(kernel, run).value() == 800);
}

TEST_CASE("threads that share a reader each get the schedule that they ask for") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker first(kernel, 2, 30), second(kernel, 7, 30);
    const RunId a = session_with_log(folder / "s.db", kernel, first, 600);
    const RunId b = session_with_log(folder / "s.db", kernel, second, 600);
    auto reader = SessionReader::open(folder / "s.db").value();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            for (StepId i = 0; i < 60; ++i) {
                const StepId step = 1 + (i * 97 + t * 211) % 600;
                const auto& log = (i + t) % 2 == 0 ? first : second;
                const auto schedule = reader->schedule_at(kernel, &log == &first ? a : b, step);
                if (!schedule || schedule->hash() != log.schedule(step).hash()) ++wrong;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("a run that goes on keeps what judges it from there") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 30);
    const RunId run = session_with_log(folder / "s.db", kernel, log, 10);
    EvaluatorInfo first = header_for_tests().evaluator, second = first, third = first;
    second.device = "never judged a step";
    third.device = "SM model elsewhere";
    third.model.loops = 7;
    third.original_cost = 99;
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        REQUIRE(session->continue_run(run, second));
        auto sink = required(session->continue_run(run, third));
        for (int i = 0; i < 5; ++i)
            REQUIRE((*sink)->append(log.next()));
        REQUIRE(session->continue_run(run, first));
        RunId other = 0;
        REQUIRE(session->begin_run(header_for_tests(), log.start(), &other));
    }
    auto reader = SessionReader::open(folder / "s.db").value();
    for (const RunInfo& info : {reader->run(run).value(), reader->runs().value().front()}) {
        REQUIRE(info.later_parts.size() == 2);
        CHECK(info.later_parts[0].first == 11);
        CHECK(info.later_parts[1].first == 16);
        CHECK(evaluator_of(info, 10).device == first.device);
        CHECK(evaluator_of(info, 11).device == "SM model elsewhere");
        CHECK(evaluator_of(info, 11).model.loops == third.model.loops);
        CHECK(evaluator_of(info, 15).original_cost == 99);
        CHECK(evaluator_of(info, 16).device == first.device);
        CHECK(part_of(info, 12) == 1);
    }
    CHECK(reader->runs().value().back().later_parts.empty());
    auto database = sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite).value();
    REQUIRE(database.exec("UPDATE parts SET first = -3 WHERE first = 11"));
    CHECK(SessionReader::open(folder / "s.db").value()->run(run).error().code == ErrorCode::Corrupt);
}

TEST_CASE("two runs of one session do not mix") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker first(kernel, 1, 2);
    LogMaker second(kernel, 2, 2);
    auto session = open_or_fail(folder / "s.db", kernel);
    RunId a = 0;
    RunId b = 0;
    auto sink_a = session->begin_run(header_for_tests("greedy"), first.start(), &a);
    auto sink_b = session->begin_run(header_for_tests("hand"), second.start(), &b);
    REQUIRE(sink_a);
    REQUIRE(sink_b);
    for (int i = 0; i < 200; ++i) {
        REQUIRE((*sink_a)->append(first.next()));
        if (i % 3 == 0) REQUIRE((*sink_b)->append(second.next()));
    }
    REQUIRE(session->flush());
    auto reader = required(SessionReader::open(folder / "s.db"));
    REQUIRE((*reader)->runs()->size() == 2);
    CHECK((*reader)->verify(kernel, a).value() == 200);
    CHECK((*reader)->verify(kernel, b).value() == 67);
    CHECK((*reader)->schedule_at(kernel, b, 67).value() == second.schedule(67));
    CHECK((*reader)->run(0)->agent == "hand");
}

TEST_CASE("a second writer is refused and told who writes, readers are not") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    auto session = open_or_fail(folder / "s.db", kernel);
    auto second = SessionWriter::open(folder / "s.db", kernel, "{}", "");
    REQUIRE_FALSE(second);
    CHECK(second.error().code == ErrorCode::Busy);
    CHECK(second.error().message().find("s.db") != std::string::npos);
    CHECK(second.error().message().find(std::to_string(::getpid())) != std::string::npos);
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->writer_process() == ::getpid());
    REQUIRE(session->close());
    CHECK((*reader)->writer_process() == std::nullopt);
    CHECK(SessionWriter::open(folder / "s.db", kernel, "{}", ""));
}

TEST_CASE("a session is of one kernel") {
    const TempFolder folder;
    open_or_fail(folder / "s.db", sample_kernel());
    auto wrong = SessionWriter::open(folder / "s.db", other_kernel(), "{}", "");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == ErrorCode::BadInput);
    CHECK(wrong.error().message().find("belongs to the kernel") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "s.db.lock"));
}

TEST_CASE("the callback names the last durable step, which a reader then sees") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 3);
    auto session = open_or_fail(folder / "s.db", kernel);
    std::mutex mutex;
    std::vector<StepId> seen;
    session->on_durable([&](RunId, StepId step) {
        const std::lock_guard guard(mutex);
        seen.push_back(step);
    });
    RunId run = 0;
    auto sink = required(session->begin_run(header_for_tests(), log.start(), &run));
    auto reader = required(SessionReader::open(folder / "s.db"));
    for (int i = 0; i < 50; ++i)
        REQUIRE((*sink)->append(log.next()));
    while (true) {  // no flush: the commit comes by itself
        const std::lock_guard guard(mutex);
        if (!seen.empty() && seen.back() == 50) break;
        std::this_thread::yield();
    }
    CHECK((*reader)->run(run)->steps == 50);
    CHECK(std::is_sorted(seen.begin(), seen.end()));
}

TEST_CASE("a run is no damaged one because it grows while it is read") {
    OpenRun open(2, 3);
    std::atomic<bool> over = false;
    std::thread agent([&] {
        for (int i = 0; i < 400; ++i) {
            StepRecord step = open.log.next();
            step.best = true;
            if (!open.sink->append(step) || !open.session->flush()) break;
        }
        over = true;
    });
    auto reader = SessionReader::open(open.file);
    std::string said = reader ? "" : reader.error().message();
    for (StepId before = 0; said.empty() && !over;) {
        const auto best = (*reader)->best_step(open.run);
        if (!best)
            said = best.error().message();
        else if (*best < before)
            said = "an earlier step is best now";
        else
            before = *best;
    }
    agent.join();
    INFO(said);
    CHECK(said.empty());
    REQUIRE(reader);
    CHECK((*reader)->best_step(open.run).value() == 400);
}

TEST_CASE("append waits when the queue is full and loses nothing") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 3);
    SessionOptions options;
    options.queue_limit = 4;
    auto session = open_or_fail(folder / "s.db", kernel, options);
    const RunId run = log_run(*session, log, 500);
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->verify(kernel, run).value() == 500);
}

TEST_CASE("a step that would not replay is refused, and what came before it stays") {
    OpenRun open(2, 3);
    for (int i = 0; i < 10; ++i)
        REQUIRE(open.sink->append(open.log.next()));
    StepRecord wrong = open.log.next();
    SECTION("another hash than its edit gives") {
        wrong.schedule_hash.lo ^= 1;
    }
    SECTION("a parent that comes later") {
        wrong.parent = 12;
    }
    SECTION("a number that was given before") {
        wrong.step = 5, wrong.parent = 1;
    }
    SECTION("an absurd number") {
        wrong.step = StepId{1} << 60;
    }
    (void)open.sink->append(wrong);
    CHECK_FALSE(open.sink->flush());
    CHECK_FALSE(open.sink->append(open.log.next()));
    CHECK_FALSE(open.session->close());
    auto reader = required(SessionReader::open(open.file));
    CHECK((*reader)->verify(open.kernel, open.run).value() == 10);
}

TEST_CASE("a run's best step is the last one that its log marks, and a log that lost its end names none") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 5);
    const RunId run = session_with_log(folder / "s.db", kernel, log, 40);
    const auto best = [&](const std::string& sql) {
        {
            auto database = required(sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite));
            REQUIRE(database->exec(sql));
        }
        auto reader = required(SessionReader::open(folder / "s.db"));
        return (*reader)->best_step(run);
    };
    CHECK(best("UPDATE mutations SET best = step IN (7, 21)").value() == 21);
    CHECK(best("UPDATE runs SET ended = '2026-01-01T00:00:00Z', steps = 40").value() == 21);
    const auto named = best("DELETE FROM mutations WHERE step > 20");
    REQUIRE_FALSE(named);
    CHECK(named.error().code == ErrorCode::Corrupt);
    CHECK_THAT(named.error().message(), contains_text("step 21 is missing"));
}

TEST_CASE("a log that was tampered with is found out") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 2, 5);
    const RunId run = session_with_log(folder / "s.db", kernel, log, 300);
    auto change = [&](const std::string& sql) {
        auto database = required(sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite));
        REQUIRE(database->exec(sql));
    };
    SECTION("an edit") {
        change("UPDATE mutations SET edit = (SELECT edit FROM mutations WHERE step = 18) WHERE step = 17");
    }
    SECTION("a hash") {
        change("UPDATE mutations SET schedule_hash = substr(schedule_hash, 2) || '0' WHERE step = 17");
    }
    SECTION("garbage for an edit") {
        change("UPDATE mutations SET edit = 'Q--' WHERE step = 17");
    }
    SECTION("a missing step") {
        change("DELETE FROM mutations WHERE step = 17");
    }
    SECTION("a missing step that nothing was made from") {
        change(
            "DELETE FROM mutations WHERE step = (SELECT max(step) FROM mutations m WHERE step < 300 AND NOT "
            "EXISTS (SELECT 1 FROM mutations c WHERE c.parent = m.step))");
    }
    SECTION("missing last steps") {
        change("UPDATE runs SET steps = 300");  // as where a run ends
        change("DELETE FROM mutations WHERE step > 295");
    }
    SECTION("a parent of its own") {
        change("UPDATE mutations SET parent = 17 WHERE step = 17");
    }
    SECTION("a keyframe") {
        change("UPDATE keyframes SET schedule = zeroblob(40) WHERE step = 0");
    }
    auto reader = required(SessionReader::open(folder / "s.db"));
    auto checked = (*reader)->verify(kernel, run);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::Corrupt);
}

TEST_CASE("starts are stored with their code, and a run that begins at one has that kernel") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const KernelPtr other = other_kernel();
    const std::string recipe = "{\"options\":[\"-O1\"]}";
    const auto bytes = std::as_bytes(std::span(recipe));
    RunId starts = 0, schedules = 0;
    StepRecord tried;
    tried.step = 1;
    tried.mutation.start = "00ff";
    tried.schedule_hash = other->hash();
    tried.outcome.kind = OutcomeKind::Ok;
    LogMaker log(other, 4, 5);
    std::vector<StepRecord> edited;
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        auto sink = required(session->begin_run(header_for_tests("starts"), Schedule(kernel), &starts));
        REQUIRE(session->add_starts(
            starts, std::vector<StartRecord>{{"00ff", {bytes.begin(), bytes.end()}, other, {}},
                                             {"0001", {bytes.begin(), bytes.end()}, nullptr, "does not compile"}}));
        REQUIRE((*sink)->append(tried));
        RunHeader header = header_for_tests();
        header.start_run = starts;
        header.start_parent = 1;
        CHECK_FALSE(session->begin_run(header, Schedule(kernel), nullptr));  // not what that step has
        auto second = required(session->begin_run(header, Schedule(other), &schedules));
        for (int i = 0; i < 300; ++i) {
            edited.push_back(log.next());
            REQUIRE((*second)->append(edited.back()));
        }
        REQUIRE(session->close());
    }
    auto reader = required(SessionReader::open(folder / "s.db"));
    const auto made = required((*reader)->start(kernel, starts, "00ff"));
    REQUIRE(made->has_value());
    CHECK((*made)->kernel->hash() == other->hash());
    CHECK((*made)->recipe.size() == recipe.size());
    const auto failed = required((*reader)->start(kernel, starts, "0001"));
    CHECK((*failed)->kernel == nullptr);
    CHECK((*failed)->problem == "does not compile");
    CHECK_FALSE(required((*reader)->start(kernel, starts, "0002"))->has_value());
    CHECK(required((*reader)->schedule_at(kernel, starts, 1))->hash() == other->hash());
    CHECK(*required((*reader)->verify(kernel, schedules)) == 300);
    CHECK(required((*reader)->schedule_at(kernel, schedules, 300))->hash() == edited.back().schedule_hash);
    CHECK((*reader)->kernel().value()->hash() == kernel->hash());
    // The kernel of the run may be named instead of the session's.
    const KernelPtr searched = *required((*reader)->run_kernel(kernel, schedules));
    CHECK(searched->hash() == other->hash());
    CHECK(required((*reader)->schedule_at(searched, schedules, 7))->kernel() == searched);
    CHECK_FALSE((*reader)->schedule_at(searched, starts, 1));
}
