// SPDX-License-Identifier: GPL-3.0-or-later
// What lies beside a session: nothing is made there by who only reads, nothing of a stranger's is opened
// there, and a second name of the file gives no second writer.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "core/base/file.h"
#include "core/store/session_lock.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

std::set<std::string> names_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

const std::set<std::string> kAlone = {"s.db"};

void put(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("a session that nobody writes is read without a file beside it") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 1, 4);
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        log_run(*session, log, 300);
    }
    const auto before = read_file(folder / "s.db").value();
    {
        auto reader = required(SessionReader::open(folder / "s.db"));
        CHECK((*reader)->verify(kernel, 1).value() == 300);
        CHECK(names_in(folder.path()) == kAlone);
    }
    CHECK(names_in(folder.path()) == kAlone);
    CHECK(read_file(folder / "s.db").value() == before);
}

TEST_CASE(
    "a reader from before the writer sees what is written, and what is there when the writer has gone") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 1, 4);
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        log_run(*session, log, 10);
    }
    {
        auto early = required(SessionReader::open(folder / "s.db"));
        CHECK((*early)->runs()->size() == 1);
        CHECK((*early)->schedule_at(kernel, 1, 10));
        {
            LogMaker more(kernel, 2, 4);
            auto session = open_or_fail(folder / "s.db", kernel);
            CHECK((*early)->writer_process() == ::getpid());
            log_run(*session, more, 200);
            CHECK((*early)->runs()->size() == 2);
            CHECK((*early)->verify(kernel, 2).value() == 200);
        }
        CHECK((*early)->verify(kernel, 2).value() == 200);
        CHECK((*early)->writer_process() == std::nullopt);
    }
    CHECK(names_in(folder.path()) == kAlone);
}

TEST_CASE("what a killed writer left is read whole, and is one file again when its last reader has gone") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    write_and_die(folder / "s.db", kernel, 400);
    REQUIRE(std::filesystem::file_size(folder / "s.db-wal") > 0);
    {
        auto one = SessionReader::open(folder / "s.db");
        auto two = SessionReader::open(folder / "s.db");
        REQUIRE(one);
        REQUIRE(two);
        CHECK((*one)->verify(kernel, 1).value() == 400);
        one->reset();
        CHECK((*two)->verify(kernel, 1).value() == 400);
    }
    CHECK(names_in(folder.path()) == kAlone);
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->verify(kernel, 1).value() == 400);
}

TEST_CASE("links that a received folder has in the place of side files lead nowhere") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 1, 4);
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        log_run(*session, log, 10);
    }
    put(folder / "victim", "the user's own\n");
    for (const char* side : {".lock", "-wal", "-shm", "-journal"}) {
        INFO(side);
        const std::filesystem::path link = (folder / "s.db").string() + side;
        std::filesystem::create_symlink(folder / "victim", link);
        if (auto reader = SessionReader::open(folder / "s.db")) (void)(*reader)->verify(kernel, 1);
        if (auto session = SessionWriter::open(folder / "s.db", kernel, "{}", "")) (void)(*session)->close();
        CHECK(read_text(folder / "victim").value() == "the user's own\n");
        std::filesystem::remove(link);
    }
}

TEST_CASE("another name of a session gives no second writer") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    {
        LogMaker log(kernel, 1, 4);
        auto session = open_or_fail(folder / "s.db", kernel);
        log_run(*session, log, 10);
        std::filesystem::create_hard_link(folder / "s.db", folder / "t.db");
        CHECK_FALSE(SessionWriter::open(folder / "t.db", kernel, "{}", ""));
        CHECK(SessionLock::holder(folder / "t.db") == ::getpid());
        // Its newest steps lie beside the first name only.
        CHECK_FALSE(SessionReader::open(folder / "t.db"));
    }
    CHECK_FALSE(SessionWriter::open(folder / "s.db", kernel, "{}", ""));  // two names still
    CHECK(SessionReader::open(folder / "t.db"));
    std::filesystem::remove(folder / "t.db");
    CHECK(SessionWriter::open(folder / "s.db", kernel, "{}", ""));

    std::filesystem::create_symlink(folder / "s.db", folder / "link.db");
    const auto linked = SessionWriter::open(folder / "link.db", kernel, "{}", "");
    REQUIRE_FALSE(linked);
    CHECK(linked.error().message().find("link") != std::string::npos);
    CHECK(SessionReader::open(folder / "link.db"));
}

TEST_CASE("opening and closing readers takes no lock away from the writer of the same process") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 1, 4);
    auto session = open_or_fail(folder / "s.db", kernel);
    log_run(*session, log, 10);
    for (int i = 0; i < 20; ++i) {
        auto reader = required(SessionReader::open(folder / "s.db"));
        CHECK((*reader)->run(0)->steps == 10);
        CHECK(SessionLock::holder(folder / "s.db") == ::getpid());
    }
    const pid_t child = ::fork();
    if (child == 0) {
        auto other = SessionWriter::open(folder / "s.db", kernel, "{}", "");
        ::_exit(!other && other.error().code == ErrorCode::Busy ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
}
