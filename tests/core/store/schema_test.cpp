// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include "core/store/outcome_row.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// The released ladder and one more rung, as a later version would add it: a column, filled from what is
// there.
std::vector<Migration> ladder_with(std::function<Status(sqlite::Database&)> next) {
    std::vector<Migration> ladder(session_migrations().begin(), session_migrations().end());
    ladder.push_back({current_schema_version() + 1, std::move(next)});
    return ladder;
}

}  // namespace

TEST_CASE("an empty database climbs the whole ladder") {
    const TempFolder folder;
    auto database = sqlite::Database::open(folder / "s.db", sqlite::Mode::Create);
    REQUIRE(database);
    CHECK(schema_version(*database, session_migrations()).value() == 0);
    REQUIRE(migrate(*database, session_migrations()));
    CHECK(schema_version(*database, session_migrations()).value() == current_schema_version());
    CHECK(database->integer("PRAGMA application_id").value() == kApplicationId);
    REQUIRE(migrate(*database, session_migrations()));  // again: nothing to do
}

TEST_CASE("every field of an outcome has its column in both tables, and a new one gets it by its schema") {
    auto database = sqlite::Database::open_scratch();
    REQUIRE(database);
    REQUIRE(migrate(*database, session_migrations()));
    for (const char* table : {"mutations", "measurements"})
        CHECK(database->prepare("SELECT " + outcome_columns() + " FROM " + table));
    CHECK(newest_outcome_schema() <= current_schema_version());
    // As the released rung to schema 2 has it, word for word.
    CHECK(outcome_migration(2).find("ALTER TABLE mutations ADD COLUMN device INTEGER;") != std::string::npos);
    CHECK(outcome_migration(2).find("ALTER TABLE measurements ADD COLUMN alpha REAL;") != std::string::npos);
    CHECK(outcome_migration(2).find("ALTER TABLE measurements ADD COLUMN states BLOB;") != std::string::npos);
    CHECK(outcome_migration(kReleasedSchema).empty());
}

TEST_CASE("a file of an older version keeps its rows when a later program brings it up to date") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    write_session(folder / "s.db", kernel, 50);
    const auto ladder = ladder_with([](sqlite::Database& database) {
        return database.exec(
            "ALTER TABLE mutations ADD COLUMN distance INTEGER;"
            "UPDATE mutations SET distance = abs(to_position - from_position)");
    });
    auto database = sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite);
    REQUIRE(database);
    REQUIRE(migrate(*database, ladder));
    CHECK(schema_version(*database, ladder).value() == current_schema_version() + 1);
    CHECK(database->integer("SELECT count(*) FROM mutations").value() == 50);
    CHECK(database->integer("SELECT count(*) FROM mutations WHERE kind = 'move' AND distance IS NULL")
              .value() == 0);
    // This program refuses what it does not know, and says so.
    auto reader = SessionReader::open(folder / "s.db");
    REQUIRE_FALSE(reader);
    CHECK(reader.error().code == ErrorCode::BadInput);
    CHECK(reader.error().message().find("newer CubinLab") != std::string::npos);
    CHECK(SessionWriter::open(folder / "s.db", kernel, "{}", "").error().code == ErrorCode::BadInput);
}

TEST_CASE("a migration that fails half way leaves the file as it was") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    const RunId run = write_session(folder / "s.db", kernel, 50);
    {
        auto database = sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite);
        REQUIRE(database);
        const auto ladder = ladder_with([](sqlite::Database& d) {
            return d.exec("ALTER TABLE mutations DROP COLUMN detail; UPDATE nowhere SET x = 1");
        });
        REQUIRE_FALSE(migrate(*database, ladder));
        CHECK(schema_version(*database, session_migrations()).value() == current_schema_version());
    }
    auto reader = SessionReader::open(folder / "s.db");
    REQUIRE(reader);
    CHECK((*reader)->verify(kernel, run).value() == 50);
}
