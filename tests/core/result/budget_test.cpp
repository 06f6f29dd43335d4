// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/budget.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("budgets are steps, time, or both") {
    CHECK(Budget::parse("5000steps")->steps == 5000u);
    CHECK(Budget::parse("1 step")->steps == 1u);
    CHECK(Budget::parse("60s")->time == std::chrono::milliseconds(60'000));
    CHECK(Budget::parse("250ms")->time == std::chrono::milliseconds(250));
    CHECK(Budget::parse("5m")->time == std::chrono::minutes(5));
    CHECK(Budget::parse("2h")->time == std::chrono::hours(2));
    const auto both = required(Budget::parse("60s, 100steps"));
    CHECK(both->time == std::chrono::milliseconds(60'000));
    CHECK(both->steps == 100u);
}

TEST_CASE("the text of a budget reads back as the same budget") {
    for (const char* text : {"5000steps", "60s", "1500ms", "60s,100steps", "300s"})
        CHECK(Budget::parse(text)->text() == text);
    CHECK(Budget::parse("5m")->text() == "300s");
}

TEST_CASE("anything else is refused with an example") {
    for (const char* text : {"", "0steps", "steps", "10", "10x", "-5s", "1.5s", "5steps,6steps", "5s,", ",5s",
                             "99999999999999999999s", "18446744073709551615h"}) {
        const auto budget = Budget::parse(text);
        INFO(text);
        REQUIRE_FALSE(budget);
        CHECK(budget.error().code == ErrorCode::BadUse);
        CHECK(budget.error().what.find("5000steps") != std::string::npos);
    }
}
