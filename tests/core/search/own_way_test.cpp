// SPDX-License-Identifier: GPL-3.0-or-later
// When the climb on its own way has a turn, by figures that are given to it.
#include "core/search/own_way.h"

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Fed {
    OwnWay way{bmm_context()};
    StepId step = 0;

    // What is proposed, each with this figure and an interval around it; measurements.
    std::size_t batch(double log_speedup) {
        std::vector<Observation> seen;
        for (std::size_t i = way.propose(16).size(); i > 0; --i) {
            Observation o;
            o.step = ++step;
            o.outcome.kind = OutcomeKind::Ok;
            o.outcome.log_speedup = log_speedup;
            o.outcome.low = log_speedup - 0.001;
            o.outcome.high = log_speedup + 0.001;
            o.outcome.pairs = 4;
            seen.push_back(o);
        }
        way.observe(seen);
        return seen.size();
    }
    std::size_t until_the_turn_ends(double log_speedup) {
        std::size_t measured = 0;
        while (way.has_turn())
            measured += batch(log_speedup);
        return measured;
    }
};

}  // namespace

TEST_CASE("a first turn that finds nothing ends with its sweep") {
    Fed fed;
    CHECK_FALSE(fed.way.begun());
    fed.way.begin(1);
    CHECK(fed.way.has_turn());
    const std::size_t measured = fed.until_the_turn_ends(-0.01);
    CHECK(measured >= 600);
    CHECK(measured < 600 + 16);
    CHECK(fed.way.here().step == 0);
}

TEST_CASE(
    "a first turn goes on while three hundred measurements bring a fifth of a percent, though not for ever") {
    Fed fed;
    fed.way.begin(1);
    double figure = 0;
    std::size_t measured = 0;
    while (fed.way.has_turn())
        measured += fed.batch(figure += 0.0005);
    CHECK(measured >= 3000);
    CHECK(measured < 3300 + 16);
    CHECK(fed.way.here().log_speedup > 0.02);
}

TEST_CASE("later turns are a quarter of what is measured, unless it is far behind") {
    Fed fed;
    CHECK_FALSE(fed.way.take_turn(100000, 0, 100, 1000));
    fed.way.begin(1);
    const std::size_t first = fed.until_the_turn_ends(-0.01);
    CHECK_FALSE(fed.way.take_turn(4 * first, 0, 100, 1000));
    REQUIRE(fed.way.take_turn(4 * first + 800, 0, 100, 1000));
    const std::size_t second = fed.until_the_turn_ends(-0.01);
    CHECK(second >= 200);
    CHECK(second < 200 + 16);
    // As long as it was not tried enough it is not called behind.
    REQUIRE(fed.way.take_turn(100000, 0.5, 100, 700));
    CHECK(fed.until_the_turn_ends(-0.01) >= 700);
    CHECK_FALSE(fed.way.take_turn(100000, 0.0151, 100, 1000));
    CHECK(fed.way.take_turn(100000, 0.0149, 100, 1000));
}
