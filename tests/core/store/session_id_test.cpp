// SPDX-License-Identifier: GPL-3.0-or-later
// A log or a journal next to a session that does not belong to it is refused, and nothing of the session is lost.
#include "core/store/session_id.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/base/file.h"
#include "core/store/session_file.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// A run of so many steps; `die`: as by kill -9, with its newest steps in the log.
void write_run(const std::filesystem::path& file, const KernelPtr& kernel, int steps, std::uint64_t seed,
               bool die) {
    const pid_t child = ::fork();
    if (child == 0) {
        auto session = SessionWriter::open(file, kernel, "{}", "");
        LogMaker log(kernel, seed, 4);
        RunId run = 0;
        if (!session) ::_exit(1);
        RunHeader header = header_for_tests();
        header.started = "2026-11-27T10:00:0" + std::to_string(seed) + "Z";
        auto sink = (*session)->begin_run(header, log.start(), &run);
        bool good = static_cast<bool>(sink);
        for (int i = 0; good && i < steps; ++i)
            good = static_cast<bool>((*sink)->append(log.next()));
        good = good && (*sink)->flush();
        if (good && !die) good = static_cast<bool>((*session)->close());
        ::_exit(good ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(status == 0);
}

Status open_it(const std::filesystem::path& file, const KernelPtr& kernel, bool by_writer) {
    if (by_writer) {
        auto session = SessionWriter::open(file, kernel, "{}", "");
        if (!session) return fail(session.error());
        return (*session)->close();
    }
    auto reader = SessionReader::open(file);
    if (!reader) return fail(reader.error());
    return {};
}

struct Whole {
    TempFolder folder;
    KernelPtr kernel = sample_kernel();
    std::filesystem::path session = folder / "s.db", log = folder / "s.db-wal",
                          journal = folder / "s.db-journal";
    Whole() { write_run(session, kernel, 120, 1, false); }

    void refuses(const std::filesystem::path& beside) const {
        const auto session_was = read_file(session).value(), beside_was = read_file(beside).value();
        for (const bool by_writer : {false, true, false}) {
            const Status opened = open_it(session, kernel, by_writer);
            REQUIRE_FALSE(opened);
            CHECK(opened.error().code == ErrorCode::Corrupt);
            CHECK_THAT(opened.error().what, contains_text(beside.filename().string()));
            CHECK_THAT(opened.error().what, contains_text("Nothing was changed"));
            CHECK(read_file(session).value() == session_was);
            CHECK(read_file(beside).value() == beside_was);
        }
        std::filesystem::rename(beside, folder / "away");
        std::filesystem::remove(session.string() + "-shm");
        auto reader = required(SessionReader::open(session));
        CHECK((*reader)->verify(kernel, 1).value() == 120);
    }
};

}  // namespace

TEST_CASE("the log of another session is refused, and the session is as it was") {
    const Whole whole;
    SECTION("of the same kernel, with all of its pages in the log") {
        write_run(whole.folder / "o.db", whole.kernel, 400, 2, true);
    }
    SECTION("of another kernel") {
        write_run(whole.folder / "o.db", other_kernel(), 400, 1, true);
    }
    SECTION("that was written before") {
        write_run(whole.folder / "o.db", whole.kernel, 300, 2, false);
        write_run(whole.folder / "o.db", whole.kernel, 50, 3, true);
    }
    std::filesystem::copy_file(whole.folder / "o.db-wal", whole.log);
    whole.refuses(whole.log);
}

TEST_CASE("a log of an earlier state of the session is refused") {
    const Whole whole;
    write_run(whole.session, whole.kernel, 60, 2, true);
    std::filesystem::copy_file(whole.log, whole.folder / "old-wal");
    {
        auto reader = SessionReader::open(whole.session);  // its last reader moves the log into the session
        REQUIRE(reader);
        CHECK((*reader)->run(2)->steps == 60);
    }
    write_run(whole.session, whole.kernel, 60, 3, false);
    std::filesystem::copy_file(whole.folder / "old-wal", whole.log);
    whole.refuses(whole.log);
}

TEST_CASE("every session has an id of its own, which a log holds after every commit") {
    const Whole whole;
    write_run(whole.folder / "o.db", whole.kernel, 5, 2, false);
    const auto identity = [](const std::filesystem::path& file, sqlite::Mode mode) {
        auto database = required(sqlite::Database::open(file, mode));
        return std::pair(session_id(*database).value(),
                         database->integer("SELECT commits FROM session").value());
    };
    const auto before = identity(whole.session, sqlite::Mode::Immutable);
    CHECK(before.first.size() == 32);
    CHECK(before.first != identity(whole.folder / "o.db", sqlite::Mode::Immutable).first);
    write_run(whole.session, whole.kernel, 60, 2, true);
    const auto after = identity(whole.session, sqlite::Mode::ReadOnly);
    CHECK(after.first == before.first);
    CHECK(after.second > before.second);
}

TEST_CASE("of a log with a damaged byte the commits before it are read") {
    const Whole whole;
    write_run(whole.session, whole.kernel, 60, 2, true);
    const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(whole.log) / 2);
    {
        std::fstream file(whole.log, std::ios::binary | std::ios::in | std::ios::out);
        file.seekg(middle);
        const int byte = file.get();
        file.seekp(middle);
        file.put(static_cast<char>(byte ^ 0x55));
    }
    auto reader = required(SessionReader::open(whole.session));
    CHECK((*reader)->verify(whole.kernel, 1).value() == 120);
}

TEST_CASE("the log that the session's own writer left is read, at every length") {
    const Whole whole;
    write_run(whole.session, whole.kernel, 200, 2, true);
    const auto size = std::filesystem::file_size(whole.log);
    const TempFolder copies;
    for (int part = 0; part <= 8; ++part) {
        const std::filesystem::path copy = copies / ("s" + std::to_string(part) + ".db");
        std::filesystem::copy_file(whole.session, copy);
        std::filesystem::copy_file(whole.log, wal_of(copy));
        std::filesystem::resize_file(wal_of(copy), size * static_cast<unsigned>(part) / 8);
        INFO(part << " of 8");
        auto reader = required(SessionReader::open(copy));
        CHECK((*reader)->verify(whole.kernel, 1).value() == 120);
        if (part == 8) CHECK((*reader)->verify(whole.kernel, 2).value() == 200);
    }
}

TEST_CASE("a session whose writer was killed while it made it takes a new run, however far it came") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    write_run(folder / "s.db", kernel, 3, 1, true);
    const auto size = std::filesystem::file_size(folder / "s.db-wal");
    constexpr std::uintmax_t kHead = 32, kFrame = 24 + 8192, kPart = 100;  // bytes
    REQUIRE(std::filesystem::file_size(folder / "s.db") == 8192);          // all of it is in the log
    REQUIRE(size > kHead + kFrame);
    int empty = 0, whole = 0;
    for (std::uintmax_t length = 0; length <= size; length += length == 0 ? kHead : kFrame + kPart) {
        const TempFolder copies;
        const std::filesystem::path copy = copies / "s.db";
        std::filesystem::copy_file(folder / "s.db", copy);
        std::filesystem::copy_file(folder / "s.db-wal", wal_of(copy));
        std::filesystem::resize_file(wal_of(copy), length);
        INFO(length << " bytes of the log");
        if (const auto reader = SessionReader::open(copy)) {
            const auto there = (*reader)->kernel();
            there ? ++whole : ++empty;
            if (!there) CHECK(there.error().code == ErrorCode::BadInput);
        } else {
            ++empty;
            CHECK(reader.error().code == ErrorCode::BadInput);
            CHECK_THAT(reader.error().what, contains_text("a new run may begin in it"));
        }
        write_run(copy, kernel, 4, 2, false);
        const auto reader = required(SessionReader::open(copy));
        CHECK((*reader)->kernel().value()->hash() == kernel->hash());
    }
    CHECK(empty > 1);
    CHECK(whole > 0);
}

TEST_CASE("a journal next to a session is not rolled back into it") {
    const Whole whole;
    // A head that SQLite takes for a hot journal: magic, records, nonce, pages, sector, page size.
    std::string head(
        "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x02\x00\x00"
        "\x00\x20\x00",
        28);
    head.resize(512, '\0');
    std::ofstream(whole.journal, std::ios::binary) << head;
    whole.refuses(whole.journal);
}

TEST_CASE("a journal that was finished is ignored") {
    const Whole whole;
    std::ofstream(whole.journal, std::ios::binary) << std::string(600, '\0');
    CHECK(open_it(whole.session, whole.kernel, false));
    CHECK(open_it(whole.session, whole.kernel, true));
}
