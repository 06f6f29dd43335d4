// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/speedup.h"

#include <cmath>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

Verdict verdict(double low, double high, double same_within = 0.002) {
    return Speedup{0, low, high}.verdict(same_within);
}

}  // namespace

TEST_CASE("a verdict needs the whole interval on one side") {
    CHECK(verdict(0.003, 0.02) == Verdict::Faster);
    CHECK(verdict(0.001, 0.02) == Verdict::Unclear);
    CHECK(verdict(-0.001, 0.001) == Verdict::Same);
    CHECK(verdict(-0.02, -0.003) == Verdict::Slower);
    CHECK(verdict(-0.02, 0.02) == Verdict::Unclear);
    CHECK(verdict(-INFINITY, INFINITY) == Verdict::Unclear);
}

TEST_CASE("an exact figure is FASTER, SAME or SLOWER, never UNCLEAR") {
    CHECK(Speedup::exactly(1e-9).verdict(0) == Verdict::Faster);
    CHECK(Speedup::exactly(0).verdict(0) == Verdict::Same);
    CHECK(Speedup::exactly(-1e-9).verdict(0) == Verdict::Slower);
}

TEST_CASE("a speed-up turned around has its interval turned around") {
    const Speedup s{0.02, 0.01, 0.04};
    CHECK(-s == Speedup{-0.02, -0.04, -0.01});
    const Speedup none = s + -s;
    CHECK(none.log == 0);
    CHECK(none.low < 0);
    CHECK(none.high > 0);
}

TEST_CASE("a speed-up in per cent and as a factor") {
    const Speedup s{std::log(1.0321), std::log(1.028), std::log(1.036)};
    CHECK(s.percent() == Approx(3.21));
    CHECK(s.factor() == Approx(1.0321));
    CHECK(percent_text(s) == "+3.21 % [+2.80, +3.60]");
    CHECK(percent_text(-s.log, 1) == "-3.1 %");
    CHECK(factor_text(s) == "1.0321x [1.0280, 1.0360]");
}
