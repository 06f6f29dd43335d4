// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/session_copy.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/store/session.h"
#include "core/tuning/session_summary.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/as_nobody.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

namespace fs = std::filesystem;

void log_steps(const fs::path& file, const KernelPtr& kernel, int steps) {
    LogMaker log(kernel, 1, 4);
    auto session = open_or_fail(file, kernel);
    auto sink = required(session->begin_run(header_for_tests(), log.start(), nullptr));
    for (int i = 0; i < steps; ++i)
        REQUIRE((*sink)->append(log.next()));
    REQUIRE((*sink)->finish({}));
    sink->reset();
    REQUIRE(session->close());
}

}  // namespace

TEST_CASE("a session that cannot be written is told, and its copy can be") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const fs::path file = folder / "s.db", copy = folder / "mine/t.db";
    fs::create_directory(folder / "mine");
    log_steps(file, kernel, 20);
    CHECK(check_session_writable(file));
    CHECK(check_session_writable(folder / "none.db").error().code == ErrorCode::NotFound);
    CHECK_FALSE(fs::exists(folder / "none.db"));

    ::chmod((folder / "mine").c_str(), 0777);
    SECTION("by the file's mode") {
        ::chmod(file.c_str(), 0444);
        ::chmod(folder.path().c_str(), 0777);
    }
    SECTION("by the folder's mode") {
        ::chmod(file.c_str(), 0666);
        ::chmod(folder.path().c_str(), 0555);
    }
    CHECK(as_nobody([&] {
              const Status writable = check_session_writable(file);
              return !writable && writable.error().code == ErrorCode::Io ? 0 : 1;
          }) == 0);
    CHECK(as_nobody([&] {
              if (const SessionSummary found = summarise_session(file); found.writable) return 1;
              if (!copy_session(file, copy)) return 2;
              if (!check_session_writable(copy)) return 3;
              if (copy_session(file, copy)) return 4;  // nothing is overwritten
              auto session = SessionWriter::open(copy, kernel, "{}", "");
              return session && (*session)->close() ? 0 : 5;
          }) == 0);
    ::chmod(folder.path().c_str(), 0755);
    auto reader = required(SessionReader::open(copy));
    CHECK((*reader)->run(0)->steps == 20);
}

TEST_CASE("a session of two names is for reading, and one that is being written is not copied") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const fs::path file = folder / "s.db";
    log_steps(file, kernel, 5);
    {
        const auto writing = open_or_fail(file, kernel);
        CHECK(copy_session(file, folder / "t.db").error().code == ErrorCode::Busy);
        REQUIRE(writing->close());
    }
    CHECK_FALSE(fs::exists(folder / "t.db"));
    fs::create_hard_link(file, folder / "other.db");
    CHECK(check_session_writable(file).error().code == ErrorCode::BadInput);
    REQUIRE(copy_session(file, folder / "t.db"));
    CHECK(check_session_writable(folder / "t.db"));
}

TEST_CASE("only a session with an agent's run that did not end can go on") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const auto killed = [&](const char* name, const char* agent) {
        const fs::path file = folder / name;
        LogMaker log(kernel, 1, 4);
        auto session = open_or_fail(file, kernel);
        auto sink = required(session->begin_run(header_for_tests(agent), log.start(), nullptr));
        REQUIRE((*sink)->append(log.next()));
        sink->reset();
        REQUIRE(session->close());
        return summarise_session(file);
    };
    const SessionSummary hand = killed("hand.db", "hand"), agent = killed("agent.db", "greedy");
    CHECK(hand.state == SessionState::Interrupted);
    CHECK_FALSE(hand.can_go_on());
    CHECK(agent.state == SessionState::Interrupted);
    CHECK(agent.can_go_on());
}
