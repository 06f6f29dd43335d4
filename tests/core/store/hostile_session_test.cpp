// SPDX-License-Identifier: GPL-3.0-or-later
// Session files that somebody made to do harm: another schema, numbers out of order, trees that never end.
// Each is refused with a reason by whatever reads it first, and none takes more memory than the file's size
// explains.
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/store/compress.h"
#include "core/store/instruction_ranges.h"
#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// A session of 40 steps, then changed by `sql` as any program could.
std::filesystem::path changed_session(const TempFolder& folder, const KernelPtr& kernel,
                                      const std::string& sql) {
    const auto file = folder / "s.db";
    write_session(file, kernel, 40);
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
    char* problem = nullptr;
    INFO(sql);
    const int code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &problem);
    if (problem != nullptr) UNSCOPED_INFO(problem);
    sqlite3_close(db);
    REQUIRE(code == SQLITE_OK);
    return file;
}

// What the first reader or the first writer says.
std::string refusal(const std::filesystem::path& file) {
    const auto reader = SessionReader::open(file);
    return reader ? "opened" : reader.error().message();
}

// What reading all steps, their schedules and figures says.
std::string whole_reading(const std::filesystem::path& file, const KernelPtr& kernel) {
    const auto reader = SessionReader::open(file);
    if (!reader) return reader.error().message();
    const auto runs = (*reader)->runs();
    if (!runs) return runs.error().message();
    for (const RunInfo& run : *runs) {
        if (auto steps = (*reader)->steps(run.id); !steps) return steps.error().message();
        if (auto verified = (*reader)->verify(kernel, run.id); !verified) return verified.error().message();
    }
    return "read";
}

bool mentions(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a session with a view, a trigger or a virtual table is refused by readers and writers") {
    const std::vector<std::string> cases = {
        "ALTER TABLE kernels RENAME TO k2; CREATE VIEW kernels AS SELECT * FROM k2",
        "CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM mutations; END",
        "CREATE VIEW v AS SELECT 1",
    };
    const KernelPtr kernel = sample_kernel();
    for (const std::string& sql : cases) {
        const TempFolder folder;
        const auto file = changed_session(folder, kernel, sql);
        INFO(sql);
        CHECK(mentions(refusal(file), "contains a view, a trigger or a virtual table"));
        const auto writer = SessionWriter::open(file, kernel, "{}", "");
        REQUIRE_FALSE(writer);
        CHECK(writer.error().code == ErrorCode::Corrupt);
    }
    const TempFolder folder;
    CHECK(refusal(changed_session(folder, kernel, "SELECT 1")) == "opened");
    CHECK(whole_reading(folder / "s.db", kernel) == "read");
}

TEST_CASE("a session that lacks a table or a column says so when it is read") {
    const KernelPtr kernel = sample_kernel();
    for (const char* sql : {"DROP TABLE mutations", "ALTER TABLE runs DROP COLUMN seed"}) {
        const TempFolder folder;
        const auto file = changed_session(folder, kernel, sql);
        INFO(sql);
        CHECK(mentions(whole_reading(file, kernel), "no such"));
    }
}

TEST_CASE("step numbers and parents that make no sense are refused") {
    const KernelPtr kernel = sample_kernel();
    for (const char* sql : {"UPDATE mutations SET step = 4294967295 WHERE step = 40",
                            "UPDATE mutations SET parent = 40 WHERE step = 40",
                            "UPDATE mutations SET step = 9223372036854775807 WHERE step = 40",
                            "UPDATE mutations SET parent = 39 WHERE step = 7",
                            "UPDATE mutations SET parent = -1 WHERE step = 7"}) {
        const TempFolder folder;
        INFO(sql);
        CHECK(mentions(whole_reading(changed_session(folder, kernel, sql), kernel), "out of order"));
    }
}

TEST_CASE("figures that are no numbers are refused") {
    const KernelPtr kernel = sample_kernel();
    for (const char* column : {"log_speedup", "low", "cost", "reward", "alpha"}) {
        const TempFolder folder;
        const auto sql = "UPDATE mutations SET " + std::string(column) + " = 9e999 WHERE step = 3";
        CHECK(mentions(whole_reading(changed_session(folder, kernel, sql), kernel), "not a number"));
    }
}

TEST_CASE("locks beyond the kernel are refused before they are counted out") {
    const KernelPtr kernel = sample_kernel();
    const TempFolder folder;
    const auto file = changed_session(folder, kernel, "UPDATE runs SET locked = '0-16777215'");
    CHECK(mentions(whole_reading(file, kernel), "instructions that the kernel does not have"));
    CHECK_FALSE(ranges_from("0-16777215", 1000));
    CHECK(ranges_from("0-999 5 5 7-9", 1000)->size() == 1000);
    std::string again;
    for (int i = 0; i < 1000; ++i)
        again += "0-999 ";
    CHECK_FALSE(ranges_from(again, 1000));
}

TEST_CASE("a compressed value that would grow beyond measure is refused") {
    const KernelPtr kernel = sample_kernel();
    const TempFolder folder;
    // Whole frames: 64 MiB of one byte in some kilobytes, as cubin and as listing.
    const auto small = compress(std::vector<std::byte>(std::size_t{64} << 20, std::byte{'a'}));
    REQUIRE(small.size() < 20000);
    std::string hex;
    for (const std::byte byte : small) {
        constexpr char kDigits[] = "0123456789abcdef";
        hex += kDigits[std::to_integer<unsigned>(byte) >> 4];
        hex += kDigits[std::to_integer<unsigned>(byte) & 15];
    }
    const auto file = changed_session(folder, kernel,
                                      "UPDATE kernels SET cubin = x'" + hex + "', listing = x'" + hex + "'");
    const auto reader = required(SessionReader::open(file));
    const auto cubin = (*reader)->kernel();
    REQUIRE_FALSE(cubin);
    CHECK(mentions(cubin.error().message(), "larger than this program accepts"));
    const auto listing = (*reader)->listing_text();
    REQUIRE_FALSE(listing);
    CHECK(mentions(listing.error().message(), "larger than this program accepts"));
    // What is not repeated that often is read, up to the limit of whoever asks.
    std::vector<std::byte> plain(3 << 20);
    for (std::size_t i = 0; i < plain.size(); ++i)
        plain[i] = static_cast<std::byte>(i * i >> 7);
    CHECK(decompress(compress(plain), plain.size()).value() == plain);
    CHECK_FALSE(decompress(compress(plain), plain.size() - 1));
}

TEST_CASE("files found by fuzzing: damaged trees and numbers end in an error") {
    const KernelPtr kernel = sample_kernel();
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_TEST_DATA "/hostile/sessions")) {
        const TempFolder folder;
        std::filesystem::copy_file(entry.path(), folder / "s.db");
        INFO(entry.path().string());
        CHECK(whole_reading(folder / "s.db", kernel) != "read");
        ++files;
    }
    CHECK(files >= 3);
}

TEST_CASE("damage that no row shows is found when the file is opened") {
    const KernelPtr kernel = sample_kernel();
    const TempFolder folder;
    const auto file = changed_session(folder, kernel, "SELECT 1");
    REQUIRE(refusal(file) == "opened");
    {
        // The header says that five pages are free; there is none. Reading rows never looks there.
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(36);
        bytes.write("\0\0\0\5", 4);
    }
    CHECK(mentions(refusal(file), "damaged"));
    CHECK_FALSE(SessionWriter::open(file, kernel, "{}", ""));
}

TEST_CASE("every connection is set up for files of others") {
    const KernelPtr kernel = sample_kernel();
    const TempFolder folder;
    const auto file = changed_session(folder, kernel, "SELECT 1");
    for (const sqlite::Mode mode : {sqlite::Mode::ReadOnly, sqlite::Mode::ReadWrite}) {
        auto database = required(sqlite::Database::open(file, mode));
        CHECK(database->integer("PRAGMA trusted_schema").value() == 0);
        CHECK(database->integer("PRAGMA cell_size_check").value() == 1);
        // Defensive mode: the schema cannot be written as a table, whatever the pragma says.
        const auto written = database->exec(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x' WHERE name = 'runs'");
        REQUIRE_FALSE(written);
        if (mode == sqlite::Mode::ReadWrite)
            CHECK(mentions(written.error().message(), "may not be modified"));
        // No value above 256 MB is made or read, and no statement of ten thousand terms.
        const auto large = database->integer("SELECT length(zeroblob(300000000))");
        REQUIRE_FALSE(large);
        CHECK(mentions(large.error().message(), "larger than any"));
        std::string deep = "SELECT 1";
        for (int i = 0; i < 100; ++i)
            deep += "+(1";
        deep += std::string(100, ')');
        CHECK_FALSE(database->integer(deep));
    }
}
