// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 in mid-run, five times on one file: the file opens and is whole, every step that the durable
// callback named is there, every step that was reported more than 100 ms before the kill is there, and the
// run goes on.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Report {
    std::int64_t durable = 0;  // 1: from the durable callback, 0: from the run itself
    StepId step = 0;
    std::int64_t at_ns = 0;
};

std::int64_t now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

void report(int pipe, bool durable, StepId step) {
    const Report line{durable ? 1 : 0, step, now_ns()};
    if (::write(pipe, &line, sizeof line) != static_cast<ssize_t>(sizeof line)) ::_exit(9);
}

// The child: starts the run, or goes on where the file says it stopped, and logs until it is killed.
[[noreturn]] void log_until_killed(const std::filesystem::path& file, int pipe, std::uint64_t seed) {
    const KernelPtr kernel = sample_kernel();
    auto session = SessionWriter::open(file, kernel, "{}", "");
    if (!session) ::_exit(2);
    LogMaker log(kernel, seed, 20);
    std::unique_ptr<RunSink> sink;
    {
        auto reader = SessionReader::open(file);
        if (!reader) ::_exit(3);
        if (const auto run = (*reader)->run(0)) {
            const auto logged = (*reader)->steps(run->id);
            if (!logged) ::_exit(5);
            for (const StepRecord& record : *logged)
                log.replayed(record);
            sink = std::move((*session)->continue_run(run->id, header_for_tests().evaluator).value());
        } else {
            sink = std::move((*session)->begin_run(header_for_tests(), log.start(), nullptr).value());
        }
    }
    (*session)->on_durable([pipe](RunId, StepId step) { report(pipe, true, step); });
    while (true) {
        const StepRecord record = log.next();
        if (!sink->append(record)) ::_exit(4);
        report(pipe, false, record.step);
        ::usleep(200);
    }
}

struct Killed {
    StepId last_durable = 0;
    StepId last_owed = 0;  // reported more than 100 ms before the kill
    StepId last_reported = 0;
};

Killed run_and_kill(const std::filesystem::path& file, std::uint64_t seed, int after_ms) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        log_until_killed(file, ends[1], seed);
    }
    ::close(ends[1]);
    std::vector<Report> reports;
    Report line;
    std::int64_t killed_at = 0;
    while (::read(ends[0], &line, sizeof line) == static_cast<ssize_t>(sizeof line)) {
        reports.push_back(line);
        if (killed_at == 0 && line.at_ns - reports.front().at_ns > std::int64_t{after_ms} * 1000000) {
            killed_at = now_ns();
            ::kill(child, SIGKILL);
        }
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    Killed result;
    for (const Report& r : reports) {
        if (r.durable != 0) {
            result.last_durable = std::max(result.last_durable, r.step);
        } else {
            result.last_reported = std::max(result.last_reported, r.step);
            if (r.at_ns < killed_at - 100000000) result.last_owed = std::max(result.last_owed, r.step);
        }
    }
    return result;
}

}  // namespace

TEST_CASE("kill -9 in mid-run, five times on one file") {
    const TempFolder folder;
    const auto file = folder / "s.db";
    const KernelPtr kernel = sample_kernel();
    std::mt19937_64 random(::getpid());
    StepId before = 0;
    for (int round = 0; round < 5; ++round) {
        const int after_ms = 150 + static_cast<int>(random() % 400);
        INFO("round " << round << ", killed after " << after_ms << " ms");
        const Killed killed = run_and_kill(file, random(), after_ms);
        auto reader = required(SessionReader::open(file));
        const auto info = required((*reader)->run(0));
        const auto last = static_cast<StepId>(info->steps);
        CHECK(last >= killed.last_durable);
        CHECK(last >= killed.last_owed);
        CHECK(killed.last_reported > before);  // it did go on
        CHECK(info->end.empty());
        CHECK((*reader)->writer_process() == std::nullopt);  // the dead writer's lock is gone
        CHECK((*reader)->verify(kernel, info->id).value() == info->steps);
        CHECK((*reader)->steps(info->id)->size() == info->steps);  // no holes
        before = last;
        auto database = required(sqlite::Database::open(file, sqlite::Mode::ReadOnly));
        CHECK(database->text("PRAGMA integrity_check").value() == "ok");
    }
    CHECK(before > 500);
}
