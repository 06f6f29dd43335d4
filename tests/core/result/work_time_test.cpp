// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/work_time.h"

#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("a run that was never interrupted has worked for as long as its last step says") {
    WorkTime work;
    CHECK(work.seconds() == 0);
    for (const std::int64_t at : {400'000, 900'000, 900'000, 1'500'000})
        CHECK_FALSE(work.add(at));
    CHECK(work.seconds() == Approx(1.5));
    CHECK(work.part_seconds() == Approx(1.5));
    CHECK(work.part_steps() == 4);
}

TEST_CASE("a run that was killed twice has worked for its three parts together") {
    WorkTime work;
    work.add(1'000'000);
    work.add(20'000'000);
    CHECK(work.add(500'000));
    work.add(10'000'000);
    CHECK(work.add(2'000'000));
    CHECK(work.seconds() == Approx(32));
    CHECK(work.part_seconds() == Approx(2));
    CHECK(work.part_steps() == 1);
}

TEST_CASE("a part that is known to begin counts for itself, however late its first step comes") {
    WorkTime work;
    work.add(1'000'000);
    work.begin_part();
    CHECK(work.part_steps() == 0);
    CHECK_FALSE(work.add(3'000'000));
    CHECK(work.seconds() == Approx(4));
    CHECK(work.part_seconds() == Approx(3));
    CHECK(work.part_steps() == 1);
}

TEST_CASE("steps without a clock, as those made by hand, take no time and are one part") {
    WorkTime work;
    for (int i = 0; i < 5; ++i)
        CHECK_FALSE(work.add(0));
    CHECK(work.seconds() == 0);
    CHECK(work.part_steps() == 5);
}
