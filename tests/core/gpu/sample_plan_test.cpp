// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/sample_plan.h"

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

// A kernel of 50 us whose samples err by `constant_us` each and whose launches by `launch` (log) each; one untimed
// launch before a sample.
SampledLength length(int launches, double constant_us, double launch) {
    const double sample = std::hypot(constant_us / (50.0 * launches), launch / std::sqrt(launches));
    return {launches, 100.0 * (launches + 1), std::sqrt(2.0) * sample};
}

}  // namespace

TEST_CASE(
    "where the noise is a sample's one long pair is taken, where it is a launch's as many launches as ever") {
    const std::vector<SampledLength> constant = {length(2, 0.33, 0), length(4, 0.33, 0), length(8, 0.33, 0)};
    // By hand, in units of 1e-6 and us, rest 0.25 %, 700 us beside the pairs: 2 launches (6.25 + 21.8 / p) * (700 + 300 p),
    // least at p = 3: 21.6e3; 4 launches (6.25 + 5.4) * 1200 = 14.0e3; 8 launches (6.25 + 1.4) * 1600 = 12.2e3.
    const SamplePlan one_long = choose_sample_plan(constant, 0.0025, 700);
    CHECK(one_long.launches == 8);
    CHECK(one_long.pairs == 1);
    CHECK(one_long.deviation == constant[2].deviation);
    // 1.5 % a launch: (6.25 + 225 / p) * (700 + 300 p), (6.25 + 112.5 / p) * (700 + 500 p), (6.25 + 56.3 / p) * (700 + 900 p):
    // least at p = 9 (106e3), 5 (92e3) and 3 (85e3); the untimed launch is what a longer sample still spares.
    const std::vector<SampledLength> launches = {length(2, 0, 0.015), length(4, 0, 0.015),
                                                 length(8, 0, 0.015)};
    const SamplePlan many = choose_sample_plan(launches, 0.0025, 700);
    CHECK(many.launches == 8);
    CHECK(many.pairs == 3);
    // Without the untimed launch nothing is spared: as many launches, whatever the length.
    std::vector<SampledLength> free = launches;
    for (SampledLength& one : free)
        one.pair_us = 100.0 * one.launches;
    const SamplePlan any = choose_sample_plan(free, 0.0025, 700);
    CHECK(any.launches * any.pairs == Approx(25).margin(5));
}

TEST_CASE("one disturbed load of six does not make every test of a run long") {
    // Eight pairs of a load, 0.5 % to either side: deviation 0.5 % * sqrt(8 / 7).
    const std::vector<float> quiet = {0.005f, -0.005f, 0.005f, -0.005f, 0.005f, -0.005f, 0.005f, -0.005f};
    std::vector<std::vector<float>> loads(6, quiet);
    loads[2] = {0.0f, 0.2f, -0.2f, 0.1f, -0.1f, 0.0f, 0.2f, -0.2f};
    CHECK(usual_deviation(loads) == Approx(0.005 * std::sqrt(8.0 / 7.0)).epsilon(1e-4));
    const std::vector<SampledLength> tried = {{24, 900, usual_deviation(loads)}};
    CHECK(choose_sample_plan(tried, 0.0025, 700).pairs <= 3);
    CHECK(usual_deviation({}) > 0);
}

TEST_CASE("a load that differs from the others is found, one among restless ones is not") {
    const auto pairs = [](float apart) { return std::vector<float>{apart, -apart, apart, -apart}; };
    CHECK(odd_load(std::vector{pairs(1), pairs(1.5F), pairs(20), pairs(0.8F), pairs(9), pairs(1)}) == 2);
    CHECK_FALSE(odd_load(std::vector{pairs(1), pairs(3), pairs(2), pairs(0.8F), pairs(4), pairs(1)}));
    CHECK_FALSE(odd_load(std::vector{pairs(8), pairs(20), pairs(9), pairs(1), pairs(12), pairs(18)}));
    CHECK_FALSE(odd_load(std::vector<std::vector<float>>{}));
}

TEST_CASE("the sample plan is the cheapest of all possible ones") {
    const std::array<SampledLength, 3> tried = {
        SampledLength{3, 90, 0.011}, {6, 170, 0.009}, {12, 330, 0.002}};
    for (const double fixed : {10.0, 300.0, 5000.0}) {
        const SamplePlan chosen = choose_sample_plan(tried, 0.002, fixed);
        const auto price = [&](double deviation, int pairs, double pair_us) {
            return (0.002 * 0.002 + deviation * deviation / pairs) * (fixed + pairs * pair_us);
        };
        double chosen_price = 0;
        for (const SampledLength& one : tried)
            if (one.launches == chosen.launches)
                chosen_price = price(one.deviation, chosen.pairs, one.pair_us);
        for (const SampledLength& one : tried)
            for (int pairs = 1; pairs <= 16; ++pairs)
                CHECK(chosen_price <= price(one.deviation, pairs, one.pair_us) * (1 + 1e-12));
    }
    CHECK(choose_sample_plan({}, 0.002, 300).launches == 0);
}

TEST_CASE("two samples that disagree are in doubt, others are not") {
    CHECK_FALSE(in_doubt(std::array{0.08f}, 0.001));
    CHECK_FALSE(in_doubt(std::array{0.08f, 0.0756f}, 0.001));  // 4.4 deviations of one, 3.1 of a difference
    CHECK(in_doubt(std::array{0.08f, 0.074f}, 0.001));
    CHECK_FALSE(in_doubt(std::array{0.08f, 0.074f, 0.08f}, 0.001));  // the third told which
}
