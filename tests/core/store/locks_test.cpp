// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent had to leave alone, in the session: as text, through writer and reader, and in older files.
#include "core/store/instruction_ranges.h"
#include "core/store/schema.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

TEST_CASE("instructions as ranges: in order, once, and back") {
    CHECK(ranges_text({}).empty());
    const std::vector<InstrId> ids = {15, 3, 12, 13, 14, 7, 3};
    CHECK(ranges_text(ids) == "3 7 12-15");
    CHECK(ranges_from("3 7 12-15", 16).value() == std::vector<InstrId>{3, 7, 12, 13, 14, 15});
    CHECK(ranges_from("", 16).value().empty());
    CHECK(ranges_from("0-15", 16).value().size() == 16);
    for (const char* wrong : {"16", "3-16", "5-3", "x", "3-", "-3", "3--4", "1,2", "99999999999999999999"}) {
        INFO(wrong);
        CHECK_FALSE(ranges_from(wrong, 16));
    }
}

TEST_CASE("the locks of a run come back as they were given") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        RunHeader header = header_for_tests();
        RunId run = 0;
        REQUIRE(session->begin_run(header, Schedule(kernel), &run));
        header.locked = {1, 2, 3, 9};
        REQUIRE(session->begin_run(header, Schedule(kernel), &run));
        header.locked = {static_cast<InstrId>(kernel->size())};
        CHECK_FALSE(session->begin_run(header, Schedule(kernel), &run));  // not of this kernel
    }
    auto reader = required(SessionReader::open(folder / "s.db"));
    CHECK((*reader)->run(1)->locked.empty());
    CHECK((*reader)->run(2)->locked == std::vector<InstrId>{1, 2, 3, 9});
}

TEST_CASE("damaged locks are an error") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel();
    {
        auto session = open_or_fail(folder / "s.db", kernel);
        RunId run = 0;
        REQUIRE(session->begin_run(header_for_tests(), Schedule(kernel), &run));
        REQUIRE(session->close());
    }
    auto database = required(sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadWrite));
    REQUIRE(database->exec("UPDATE runs SET locked = 'drop table'"));
    auto reader = required(SessionReader::open(folder / "s.db"));
    const auto run = (*reader)->run(1);
    REQUIRE_FALSE(run);
    CHECK(run.error().code == ErrorCode::Corrupt);
}
