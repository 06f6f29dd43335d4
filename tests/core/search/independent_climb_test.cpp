// SPDX-License-Identifier: GPL-3.0-or-later
// When the independent climb has a turn, by given figures.
#include "core/search/agents/independent_climb.h"

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Fed {
    IndependentClimb climb{bmm_context()};
    StepId step = 0;

    // What is proposed, each with this figure and an interval around it; measurements.
    std::size_t batch(double log_speedup) {
        std::vector<Observation> seen;
        for (std::size_t i = climb.climb().propose(16).size(); i > 0; --i) {
            Observation o;
            o.step = ++step;
            o.outcome.kind = OutcomeKind::Ok;
            o.outcome.speedup.log = log_speedup;
            o.outcome.speedup.low = log_speedup - 0.001;
            o.outcome.speedup.high = log_speedup + 0.001;
            o.outcome.pairs = 4;
            seen.push_back(o);
        }
        climb.climb().observe(seen);
        climb.observed(seen.size());
        return seen.size();
    }
    std::size_t until_the_turn_ends(double log_speedup) {
        std::size_t measured = 0;
        while (climb.has_turn())
            measured += batch(log_speedup);
        return measured;
    }
};

}  // namespace

TEST_CASE("a first turn that finds nothing ends with its sweep") {
    Fed fed;
    CHECK_FALSE(fed.climb.begun());
    fed.climb.begin(1);
    CHECK(fed.climb.has_turn());
    const std::size_t measured = fed.until_the_turn_ends(-0.01);
    CHECK(measured >= 600);
    CHECK(measured < 600 + 16);
    CHECK(fed.climb.climb().here().step == 0);
}

TEST_CASE(
    "a first turn continues while three hundred measurements bring a fifth of a percent, up to a limit") {
    Fed fed;
    fed.climb.begin(1);
    double figure = 0;
    std::size_t measured = 0;
    while (fed.climb.has_turn())
        measured += fed.batch(figure += 0.0005);
    CHECK(measured >= 3000);
    CHECK(measured < 3300 + 16);
    CHECK(fed.climb.climb().here().speedup.log > 0.02);
}

TEST_CASE("later turns are a quarter of all measurements, unless it is far behind") {
    Fed fed;
    CHECK_FALSE(fed.climb.take_turn(100000, 0, 100, 1000));
    fed.climb.begin(1);
    const std::size_t first = fed.until_the_turn_ends(-0.01);
    CHECK_FALSE(fed.climb.take_turn(4 * first, 0, 100, 1000));
    REQUIRE(fed.climb.take_turn(4 * first + 800, 0, 100, 1000));
    const std::size_t second = fed.until_the_turn_ends(-0.01);
    CHECK(second >= 200);
    CHECK(second < 200 + 16);
    // With few measurements it is not called behind.
    REQUIRE(fed.climb.take_turn(100000, 0.5, 100, 700));
    CHECK(fed.until_the_turn_ends(-0.01) >= 700);
    CHECK_FALSE(fed.climb.take_turn(100000, 0.0151, 100, 1000));
    CHECK(fed.climb.take_turn(100000, 0.0149, 100, 1000));
}
