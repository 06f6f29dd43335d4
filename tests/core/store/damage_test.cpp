// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no session, or no longer one, and disks that refuse.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/base/file.h"
#include "core/store/kept_steps.h"
#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/as_nobody.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

void write_bytes(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::string text_of(const std::filesystem::path& file) {
    return read_text(file).value_or(std::string());
}

}  // namespace

TEST_CASE("what is not a session is refused with a reason and left untouched") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const auto file = folder / "s.db";

    SECTION("no such file") {
        CHECK(SessionReader::open(file).error().code == ErrorCode::NotFound);
        CHECK_FALSE(std::filesystem::exists(file));
    }
    SECTION("no such folder") {
        CHECK(SessionReader::open(folder / "none/s.db").error().code == ErrorCode::NotFound);
        auto writer = SessionWriter::open(folder / "none/s.db", kernel, "{}", "");
        REQUIRE_FALSE(writer);
        CHECK(writer.error().message().find("folder") != std::string::npos);
    }
    SECTION("a folder") {
        CHECK(SessionReader::open(folder.path()).error().code == ErrorCode::BadInput);
        CHECK(SessionWriter::open(folder.path(), kernel, "{}", "").error().code == ErrorCode::BadInput);
    }
    SECTION("a text, a cubin") {
        const bool cubin = GENERATE(false, true);
        const std::string text = "this is not a database, however long it is " + std::string(200, '.');
        if (cubin) {
            write_bytes(file, kernel->cubin().bytes());
        } else {
            write_bytes(file, std::as_bytes(std::span(text)));
        }
        const std::string before = text_of(file);
        auto reader = SessionReader::open(file);
        REQUIRE_FALSE(reader);
        CHECK(reader.error().code == ErrorCode::BadInput);
        CHECK(reader.error().message().find("not a CubinLab session") != std::string::npos);
        CHECK(SessionWriter::open(file, kernel, "{}", "").error().code == ErrorCode::BadInput);
        CHECK(text_of(file) == before);
    }
    SECTION("another program's database") {
        {
            auto database = required(sqlite::Database::open(file, sqlite::Mode::Create));
            REQUIRE(database->exec("CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1"));
        }
        const std::string before = text_of(file);
        auto reader = SessionReader::open(file);
        REQUIRE_FALSE(reader);
        CHECK(reader.error().message().find("not a CubinLab session") != std::string::npos);
        CHECK(SessionWriter::open(file, kernel, "{}", "").error().code == ErrorCode::BadInput);
        CHECK(text_of(file) == before);
    }
    SECTION("an empty file becomes a session when written, and is none when read") {
        write_bytes(file, {});
        const auto reader = SessionReader::open(file);
        CHECK(reader.error().code == ErrorCode::BadInput);
        // Killed in its first instants, before anything was committed: who finds the file learns that nothing was in it.
        CHECK(reader.error().message().find("stopped before its first step") != std::string::npos);
        CHECK(SessionWriter::open(file, kernel, "{}", ""));
    }
}

TEST_CASE("a truncated session says so at every length") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    write_session(folder / "whole.db", kernel, 400);
    auto whole = required(read_file(folder / "whole.db"));
    std::mt19937_64 random(9);
    for (int i = 0; i < 60; ++i) {
        const std::size_t size = i == 0 ? whole->size() - 1 : 1 + random() % (whole->size() - 1);
        write_bytes(folder / "cut.db", std::span(*whole).first(size));
        auto reader = SessionReader::open(folder / "cut.db");
        REQUIRE_FALSE(reader);
        const bool known =
            reader.error().code == ErrorCode::Corrupt || reader.error().code == ErrorCode::BadInput;
        CHECK(known);
        auto writer = SessionWriter::open(folder / "cut.db", kernel, "{}", "");
        REQUIRE_FALSE(writer);
    }
}

TEST_CASE("flipped bytes give errors or whole answers, never a crash or another schedule") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const RunId run = write_session(folder / "whole.db", kernel, 400);
    auto whole = required(read_file(folder / "whole.db"));
    std::map<StepId, Hash128> truth;
    {
        auto reader = required(SessionReader::open(folder / "whole.db"));
        const auto logged = required((*reader)->steps(run));
        for (const StepRecord& record : *logged)
            truth[record.step] = record.schedule_hash;
    }
    std::mt19937_64 random(10);
    int right = 0;
    int wrong = 0;
    for (int i = 0; i < 60; ++i) {
        std::vector<std::byte> bad = *whole;
        // Most damage to a tree is found when the file is opened; one flip may hit the middle of a value.
        for (int f = 0; f < (i % 2 == 0 ? 1 : 40); ++f)
            bad[random() % bad.size()] = static_cast<std::byte>(random());
        write_bytes(folder / "bad.db", bad);
        auto reader = SessionReader::open(folder / "bad.db");
        if (!reader) continue;
        (void)(*reader)->runs();
        (void)(*reader)->kernel();
        (void)(*reader)->steps(run);
        (void)(*reader)->metrics(run);
        (void)(*reader)->verify(kernel, run);
        const StepId step = 1 + static_cast<StepId>(random() % 400);
        const auto schedule = (*reader)->schedule_at(kernel, run, step);
        if (schedule && schedule->hash() == truth[step]) ++right;
        if (schedule && schedule->hash() != truth[step]) ++wrong;
    }
    CHECK(right > 0);
    CHECK(wrong == 0);
}

TEST_CASE("a full disk stops the log with a reason and loses nothing that was committed") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    SessionOptions options;
    options.max_bytes = 400 * 1024;
    RunId run = 0;
    StepId durable = 0;
    std::optional<Error> error;
    {
        auto session = open_or_fail(folder / "s.db", kernel, options);
        session->on_durable([&](RunId, StepId step) { durable = step; });
        LogMaker log(kernel, 1, 4);
        auto sink = required(session->begin_run(header_for_tests(), log.start(), &run));
        for (int i = 0; i < 100000 && !error; ++i) {
            if (auto status = (*sink)->append(log.next()); !status) error = status.error();
            if (i % 100 == 0) (void)(*sink)->flush();
        }
        CHECK_FALSE((*sink)->finish(RunSummary{}));
        CHECK_FALSE(session->close());
    }
    REQUIRE(error);
    CHECK(error->code == ErrorCode::Io);
    CHECK(error->message().find("disk full") != std::string::npos);
    CHECK(durable > 100);
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->run(run)->steps == static_cast<std::uint64_t>(durable));
    CHECK((*reader)->verify(kernel, run).value() == static_cast<std::uint64_t>(durable));
    CHECK((*reader)->run(run)->end.empty());  // interrupted: goes on once there is room
    const std::string last = with_what_is_kept(*error, folder / "s.db", run).what;
    CHECK(last.starts_with(error->what));
    CHECK(last.find("; run " + std::to_string(run) + " keeps its steps up to " + std::to_string(durable) +
                    ", ") != std::string::npos);
    CHECK(with_what_is_kept(*error, folder / "s.db", 0).what.ends_with("; no step of this run is kept"));
    CHECK(with_what_is_kept(*error, folder / "nowhere.db", run).what == error->what);
    auto session = open_or_fail(folder / "s.db", kernel);
    CHECK(session->continue_run(run, header_for_tests().evaluator));
}

TEST_CASE("a session file that is removed or replaced while it is written stops the log with a reason") {
    const KernelPtr kernel = sample_kernel();
    for (const bool replaced : {false, true}) {
        INFO("replaced: " << replaced);
        const TempFolder folder;
        const auto file = folder / "s.db";
        LogMaker log(kernel, 1, 4);
        auto session = open_or_fail(file, kernel);
        StepId durable = 0;
        session->on_durable([&](RunId, StepId step) { durable = step; });
        RunId run = 0;
        auto sink = required(session->begin_run(header_for_tests(), log.start(), &run));
        REQUIRE((*sink)->append(log.next()));
        REQUIRE((*sink)->flush());
        CHECK(durable == 1);
        std::filesystem::remove(file);
        if (replaced) write_bytes(file, {});
        REQUIRE((*sink)->append(log.next()));
        const Status flushed = (*sink)->flush();
        REQUIRE_FALSE(flushed);
        CHECK(flushed.error().code == ErrorCode::NotFound);
        CHECK(flushed.error().message().find("removed or replaced") != std::string::npos);
        CHECK(with_what_is_kept(flushed.error(), file, run).what == flushed.error().what);
        CHECK(durable == 1);  // nobody was told that the second step is safe
        CHECK_FALSE((*sink)->append(log.next()));
        CHECK_FALSE(session->close());
    }
}

TEST_CASE("a session file that is moved while it is written takes every step along that was told") {
    OpenRun open(1, 4);
    const std::filesystem::path moved = open.folder / "moved.db";
    for (int i = 0; i < 5; ++i)
        REQUIRE(open.sink->append(open.log.next()));
    REQUIRE(open.sink->flush());
    std::filesystem::rename(open.file, moved);
    REQUIRE(open.sink->append(open.log.next()));
    const Status flushed = open.sink->flush();
    REQUIRE_FALSE(flushed);
    CHECK(flushed.error().message().find("was moved, removed or replaced") != std::string::npos);
    (void)open.session->close();
    auto reader = required(SessionReader::open(moved));
    CHECK((*reader)->verify(open.kernel, open.run).value() >= 5);
}

TEST_CASE("what replaces a session file that is written is left as it is") {
    const KernelPtr kernel = sample_kernel();
    const TempFolder folder;
    write_session(folder / "other.db", kernel, 3);
    LogMaker log(kernel, 1, 4);
    auto session = open_or_fail(folder / "s.db", kernel);
    auto sink = required(session->begin_run(header_for_tests(), log.start(), nullptr));
    for (int i = 0; i < 9; ++i)
        REQUIRE((*sink)->append(log.next()));
    REQUIRE((*sink)->flush());
    const std::string other = text_of(folder / "other.db");
    std::filesystem::rename(folder / "other.db", folder / "s.db");
    REQUIRE((*sink)->append(log.next()));
    REQUIRE_FALSE((*sink)->flush());
    (void)session->close();
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->verify(kernel, 1).value() == 3);
    CHECK(text_of(folder / "s.db") == other);
}

TEST_CASE("a system that refuses to write more stops the log with a reason") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{300 * 1024, 300 * 1024};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto session = SessionWriter::open(folder / "s.db", kernel, "{}", "");
        if (!session) ::_exit(1);
        LogMaker log(kernel, 1, 4);
        auto sink = (*session)->begin_run(header_for_tests(), log.start(), nullptr);
        if (!sink) ::_exit(2);
        for (int i = 0; i < 20000; ++i) {
            if (auto status = (*sink)->append(log.next()); !status)
                ::_exit(status.error().code == ErrorCode::Io ? 42 : 3);
        }
        ::_exit(4);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
    auto reader = required(SessionReader::open(folder / "s.db"));
    const auto info = required((*reader)->run(0));
    CHECK((*reader)->verify(kernel, info->id).value() == info->steps);
}

TEST_CASE("a read-only folder can be read from and says why it cannot be written") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const RunId run = write_session(folder / "s.db", kernel, 50);
    ::chmod((folder / "s.db").c_str(), 0444);
    ::chmod(folder.path().c_str(), 0555);
    CHECK(as_nobody([&] {
              auto reader = SessionReader::open(folder / "s.db");
              if (!reader) return 1;
              const auto checked = (*reader)->verify(kernel, run);
              return checked && *checked == 50 ? 0 : 2;
          }) == 0);
    CHECK(as_nobody([&] {
              const auto writer = SessionWriter::open(folder / "new.db", kernel, "{}", "");
              return !writer && writer.error().code == ErrorCode::Io ? 0 : 1;
          }) == 0);
    CHECK(as_nobody([&] {
              const auto writer = SessionWriter::open(folder / "s.db", kernel, "{}", "");
              return !writer && writer.error().code == ErrorCode::Io ? 0 : 1;
          }) == 0);
    ::chmod(folder.path().c_str(), 0755);
}
