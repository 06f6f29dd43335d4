// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include "core/store/outcome_row.h"
#include "core/store/session_id.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// `tune samples/softmax.cubin --agent greedy --evaluator model --budget 20steps --seed 1` of the last version with schema 8.
// Tests open copies: who opens one migrates it.
std::filesystem::path session_of_schema_8(const TempFolder& folder) {
    const auto from = std::filesystem::path(CUBINLAB_TEST_DATA) / "sessions" / "softmax-schema-8.cubinlab.db";
    std::filesystem::copy_file(from, folder / "s.db");
    return folder / "s.db";
}

void set_version(const std::filesystem::path& file, int version) {
    auto database = required(sqlite::Database::open(file, sqlite::Mode::ReadWrite));
    REQUIRE(database->exec("PRAGMA user_version = " + std::to_string(version)));
}

void refused(const std::filesystem::path& file, const std::string& why) {
    auto reader = SessionReader::open(file);
    REQUIRE_FALSE(reader);
    CHECK(reader.error().code == ErrorCode::BadInput);
    CHECK_THAT(reader.error().message(), contains_text(why));
    CHECK(SessionWriter::open(file, sample_kernel(), "{}", "").error().code == ErrorCode::BadInput);
}

}  // namespace

TEST_CASE("an empty database gets the tables of a session") {
    const TempFolder folder;
    auto database = required(sqlite::Database::open(folder / "s.db", sqlite::Mode::Create));
    CHECK(schema_version(*database).value() == 0);
    REQUIRE(migrate(*database));
    CHECK(schema_version(*database).value() == kSchema);
    CHECK(database->integer("PRAGMA application_id").value() == kApplicationId);
    CHECK(session_id(*database)->size() == 32);
    const std::string id = session_id(*database).value();
    REQUIRE(migrate(*database));  // nothing left to do
    CHECK(session_id(*database).value() == id);
}

TEST_CASE("every field of an outcome has its column in both tables") {
    auto database = required(sqlite::Database::open_scratch());
    REQUIRE(migrate(*database));
    for (const char* table : {"mutations", "measurements"})
        CHECK(database->prepare("SELECT " + outcome_columns() + " FROM " + table));
}

TEST_CASE("a session of schema 8 is migrated, every hash and figure as it was logged") {
    const TempFolder folder;
    const auto file = session_of_schema_8(folder);
    auto reader = required(SessionReader::open(file));
    const auto kernel = (*reader)->kernel().value();
    const RunInfo run = (*reader)->run(0).value();
    CHECK(run.agent == "greedy");
    CHECK(run.seed == 1);
    CHECK(run.budget == "20steps");
    CHECK(run.steps == 20);
    CHECK(run.best_step == 19);
    CHECK(run.best_log_speedup == Approx(0.000979397748720946));
    CHECK(run.end == "budget");
    CHECK((*reader)->verify(kernel, run.id).value() == 20);
    const auto steps = (*reader)->steps(run.id).value();
    REQUIRE(steps.size() == 20);
    CHECK(steps[18].best);
    CHECK(steps[18].outcome.code_hash == steps[18].schedule_hash);
    CHECK_FALSE(steps[18].reference_step.has_value());
    const auto database = sqlite::Database::open(file, sqlite::Mode::ReadOnly).value();
    CHECK(schema_version(database).value() == kSchema);
    CHECK(session_id(database)->size() == 32);
    // Its tables are declared as those of a new session.
    auto empty = sqlite::Database::open(folder / "new.db", sqlite::Mode::Create).value();
    REQUIRE(migrate(empty));
    const std::string objects =
        "SELECT group_concat(type || name || replace(replace(sql, ' ', ''), char(10), '')) FROM "
        "(SELECT * FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name)";
    CHECK(database.text(objects).value() == empty.text(objects).value());
}

TEST_CASE("a migrated session takes further runs") {
    const TempFolder folder;
    const auto file = session_of_schema_8(folder);
    const KernelPtr kernel = SessionReader::open(file).value()->kernel().value();
    {
        LogMaker log(kernel, 1, 4);
        auto session = open_or_fail(file, kernel);
        CHECK(log_run(*session, log, 30) == 2);
        REQUIRE(session->close());
    }
    CHECK(SessionReader::open(file).value()->verify(kernel, 2).value() == 30);
}

TEST_CASE("a migration that fails leaves the file as it was") {
    const TempFolder folder;
    const auto file = session_of_schema_8(folder);
    auto database = sqlite::Database::open(file, sqlite::Mode::ReadWrite).value();
    REQUIRE(database.exec("ALTER TABLE mutations DROP COLUMN detail"));
    CHECK_FALSE(migrate(database));
    CHECK(schema_version(database).value() == kOldestSchema);
    CHECK(database.integer("SELECT count(*) FROM mutations").value() == 20);
    CHECK(database.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%_8'").value() == 0);
}

TEST_CASE("a session of a newer or a much older version is refused and left alone") {
    const TempFolder folder;
    const auto file = session_of_schema_8(folder);
    set_version(file, kSchema + 1);
    refused(file, "written by a newer CubinLab (schema 10");
    for (const int version : {1, 3, 7}) {
        set_version(file, version);
        refused(file, "written by an older CubinLab (schema " + std::to_string(version));
        refused(file, "open it with CubinLab 0.1");
    }
    set_version(file, kOldestSchema);
    CHECK(SessionReader::open(file));
}
