// SPDX-License-Identifier: GPL-3.0-or-later
// Effects that were planted are found again; where nothing was planted nothing is found.
#include "core/search/agents/group_fit.h"

#include <cmath>

#include "core/search/moves/rng.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

// Sum of twelve uniform numbers: near enough to a normal one.
double normal(Rng& rng) {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += rng.unit();
    return sum;
}

struct Planted {
    std::vector<double> effect;
    double noise = 0;
    std::vector<double> base = {0.0};  // by epoch
};

// Each edit alone, then `subsets` random halves; epochs one after the other.
std::vector<GroupTest> tests_of(const Planted& truth, std::size_t subsets, Rng& rng) {
    std::vector<GroupTest> out;
    const std::size_t all = truth.effect.size() + subsets;
    for (std::size_t i = 0; i < all; ++i) {
        GroupTest test;
        for (std::size_t e = 0; e < truth.effect.size(); ++e)
            if (i < truth.effect.size() ? e == i : rng.chance(0.5))
                test.edits.push_back(static_cast<std::uint8_t>(e));
        test.epoch = static_cast<std::uint8_t>(i * truth.base.size() / all);
        test.value = truth.base[test.epoch] + truth.noise * normal(rng);
        for (const std::uint8_t e : test.edits)
            test.value += truth.effect[e];
        out.push_back(std::move(test));
    }
    return out;
}

}  // namespace

TEST_CASE("effects without noise are recovered, whatever the reference of an epoch was off by") {
    Rng rng(3);
    Planted truth{{0.004, -0.002, 0, 0.001, 0.003, 0}, 0, {0.01, -0.02, 0.005}};
    const auto fit = fit_groups(tests_of(truth, 60, rng), 6);
    for (std::size_t e = 0; e < 6; ++e)
        CHECK(fit.effect[e] == Approx(truth.effect[e]).margin(2e-5));
    REQUIRE(fit.base.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(fit.base[i] == Approx(truth.base[i]).margin(2e-5));
    CHECK(fit.explained > 0.999);
}

// 48 edits of which 8 gain 0.15 % each; one test has a standard deviation of 0.24 %, as a screening has:
// alone not one of the eight would be seen.
TEST_CASE("gains smaller than one test's noise are found together, and most of what is taken is a gain") {
    double gained = 0, possible = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed);
        Planted truth{std::vector<double>(48, 0.0), 0.0024};
        for (std::size_t e = 0; e < 48; ++e)
            truth.effect[e] = e % 6 == 0 ? 0.0015 : e % 3 == 1 ? -0.001 : 0.0;
        const auto fit = fit_groups(tests_of(truth, 40, rng), 48);
        for (std::size_t e = 0; e < 48; ++e) {
            possible += std::max(truth.effect[e], 0.0);
            if (fit.effect[e] > fit.error[e]) gained += truth.effect[e];
        }
        CHECK(fit.noise == Approx(0.0024).epsilon(0.5));
    }
    CHECK(gained > 0.4 * possible);
}

TEST_CASE("where no edit does anything the estimates shrink to a small part of the noise") {
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed);
        const Planted truth{std::vector<double>(40, 0.0), 0.002};
        const auto fit = fit_groups(tests_of(truth, 40, rng), 40);
        for (const double effect : fit.effect)
            squares += effect * effect;
    }
    CHECK(std::sqrt(squares / 800) < 0.25 * 0.002);
}

// Four tests share a sample of their reference, which strays by 0.3 %, and each has 0.1 % of its own.
std::vector<GroupTest> sharing(const Planted& truth, Rng& rng, double reference_us) {
    std::vector<GroupTest> out = tests_of(truth, 80, rng);
    double strayed = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i % 4 == 0) strayed = 0.003 * normal(rng);
        out[i].value += strayed;
        out[i].reference = std::log(reference_us) + strayed;
    }
    return out;
}

TEST_CASE("what a test's reference is known to have strayed by is no noise of the test") {
    double with = 0, without = 0, share = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed);
        Planted truth{std::vector<double>(24, 0.0), 0.001};
        for (std::size_t e = 0; e < 24; e += 4)
            truth.effect[e] = 0.002;
        std::vector<GroupTest> tests = sharing(truth, rng, 20);
        const auto known = fit_groups(tests, 24);
        for (GroupTest& test : tests)
            test.reference = 0;
        const auto unknown = fit_groups(tests, 24);
        for (std::size_t e = 0; e < 24; ++e) {
            with += std::pow(known.effect[e] - truth.effect[e], 2);
            without += std::pow(unknown.effect[e] - truth.effect[e], 2);
        }
        CHECK(known.noise < 0.0016);
        CHECK(unknown.noise > 0.002);
        CHECK(unknown.by_reference == 0);
        share += known.by_reference / 20;
    }
    CHECK(with < 0.4 * without);
    CHECK(share == Approx(1).margin(0.1));
}

TEST_CASE("a drift of both sides is in no value, whatever it does to the references") {
    Rng rng(5);
    Planted truth{std::vector<double>(12, 0.0), 0.001};
    truth.effect[3] = 0.004;
    std::vector<GroupTest> tests = tests_of(truth, 80, rng);
    for (std::size_t i = 0; i < tests.size(); ++i)
        tests[i].reference = std::log(20.0) + 0.01 * std::sin(0.1 * static_cast<double>(i));
    const auto fit = fit_groups(tests, 12);
    CHECK(fit.by_reference == Approx(0).margin(0.1));
    CHECK(fit.effect[3] == Approx(0.004).margin(0.0006));
}

TEST_CASE("two devices whose references differ are not taken for straying ones") {
    Rng rng(6);
    Planted truth{std::vector<double>(12, 0.0), 0.001};
    truth.effect[3] = 0.004;
    std::vector<GroupTest> one = sharing(truth, rng, 20), other = sharing(truth, rng, 23);
    for (GroupTest& test : other)
        test.device = 1;
    one.insert(one.end(), other.begin(), other.end());
    const auto fit = fit_groups(one, 12);
    CHECK(fit.by_reference == Approx(1).margin(0.1));
    CHECK(fit.effect[3] == Approx(0.004).margin(0.0006));
    CHECK(fit.base.at(0) == Approx(0).margin(0.0008));
}

TEST_CASE("tests whose reference is not known stand beside others whose is") {
    Rng rng(7);
    Planted truth{std::vector<double>(12, 0.0), 0.001};
    truth.effect[3] = 0.004;
    std::vector<GroupTest> tests = sharing(truth, rng, 20);
    tests.push_back({{3}, 0.004, 0});
    const auto fit = fit_groups(tests, 12);
    CHECK(fit.by_reference == Approx(1).margin(0.15));
    CHECK(fit.effect[3] == Approx(0.004).margin(0.0006));
}

TEST_CASE("nothing to fit is no error") {
    CHECK(fit_groups({}, 3).effect == std::vector<double>(3, 0.0));
    CHECK(fit_groups(std::vector<GroupTest>{{{}, 0.5, 0}}, 2).base.at(0) == Approx(0.5));
    const auto one = fit_groups(std::vector<GroupTest>{{{0}, 0.5, 0}}, 1);
    CHECK(std::isfinite(one.effect[0]));
}
