// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/gpu/client/gpu_evaluator.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("Median and pulled-in mean") {
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({4, 1, 2, 3}) == 2.5);
    CHECK(median({}) == 0);
    const std::vector<float> samples{0.01f, 0.0f, -0.01f, 0.0f, 5.0f};
    CHECK(estimate(samples, 0.01).mean == Approx(0.008).margin(1e-6));  // 5 counts as 0.04
    CHECK(std::isinf(mixture_radius(0, 1, 0.05)));
    CHECK(std::isinf(t_mixture_radius(2, 1, 0.05)));
}

TEST_CASE("Worked values of both radii") {
    // n = 4, mixture 1/4: grown = 2, sqrt(2 / (16 / 4) * ln(2 / 0.0025)) = sqrt(0.5 * ln 800).
    CHECK(mixture_radius(4, 1, 0.05, 0.25) == Approx(std::sqrt(0.5 * std::log(800.0))));
    // n = 10, g = 4: A = 41, K = (41 / 0.0025)^(1/10), sqrt(0.9 (K - 1) / (1 - K / 41)).
    const double k = std::pow(41 / 0.0025, 0.1);
    CHECK(t_mixture_radius(10, 2, 0.05, 4) == Approx(2 * std::sqrt(0.9 * (k - 1) / (1 - k / 41))));
}

// Peeking after every sample up to the end, the true mean must stay inside at least 1 - alpha of the time.
TEST_CASE("Both intervals keep their promise under peeking") {
    std::mt19937 random(17);
    std::normal_distribution<double> normal(0.003, 0.01);
    const int runs = 4000, longest = 100;
    const double alpha = 0.05;
    int missed_known = 0, missed_t = 0;
    for (int run = 0; run < runs; ++run) {
        double sum = 0, squares = 0;
        bool out_known = false, out_t = false;
        for (int n = 1; n <= longest; ++n) {
            const double x = normal(random);
            sum += x;
            squares += x * x;
            const double mean = sum / n;
            const double deviation = n > 1 ? std::sqrt(std::max(0.0, (squares - sum * mean) / (n - 1))) : 0;
            out_known = out_known ||
                        std::abs(mean - 0.003) > mixture_radius(static_cast<std::size_t>(n), 0.01, alpha);
            out_t = out_t ||
                    std::abs(mean - 0.003) > t_mixture_radius(static_cast<std::size_t>(n), deviation, alpha);
        }
        missed_known += out_known;
        missed_t += out_t;
    }
    CHECK(missed_known <= alpha * runs);
    CHECK(missed_t <= alpha * runs);
    CHECK(missed_t > 0);  // not so wide that it says nothing
}

TEST_CASE("Stopping for futility leaves false verdicts rare and keeps what is worth having") {
    std::mt19937_64 random(5);
    constexpr double kDeviation = 0.001, kAlpha = 0.02, kSame = 0.002;
    constexpr std::size_t kLoads = 4;
    struct Seen {
        int faster = 0, uncovered = 0;
        double loads = 0;
    };
    const auto run = [&](double truth, bool futility) {
        std::normal_distribution<float> noise(static_cast<float>(truth), static_cast<float>(kDeviation));
        Seen seen;
        for (int trial = 0; trial < 4000; ++trial) {
            std::vector<float> means;
            Interval interval;
            Verdict verdict = Verdict::Unclear;
            while (means.size() < kLoads) {
                means.push_back(noise(random));
                const Estimate e = estimate(means, 1e9);
                interval = over_loads(e, kDeviation, kAlpha);
                verdict = Speedup{e.mean, interval.low, interval.high}.verdict(kSame);
                if (means.size() >= 2 && verdict != Verdict::Unclear) break;
                if (futility && cannot_become_faster(e, kLoads, kDeviation, kAlpha, kSame)) break;
            }
            seen.faster += verdict == Verdict::Faster;
            seen.uncovered += truth < interval.low || truth > interval.high;
            seen.loads += static_cast<double>(means.size()) / 4000;
        }
        return seen;
    };
    const Seen nothing = run(0, true), nothing_full = run(0, false);
    CHECK(nothing.faster <= 80);  // alpha * trials
    CHECK(nothing.uncovered <= 80);
    CHECK(nothing.loads < 1.3);
    CHECK(nothing_full.loads > 2);
    const Seen winner = run(0.008, true), winner_full = run(0.008, false);
    CHECK(winner.faster >= winner_full.faster - 80);
    CHECK(winner.faster > 3900);
    CHECK(winner.uncovered <= 80);
    CHECK(run(-0.01, true).loads < 1.1);
}

TEST_CASE("an interval over loads is finite whatever error probability is left of a long run") {
    std::vector<std::vector<float>> loads;
    for (int i = 0; i < 10; ++i)
        loads.push_back({0.01f + 0.001f * static_cast<float>(i), 0.012f});
    const double late = confirmation_alpha(500);
    REQUIRE(std::isinf(t_mixture_radius(loads.size(), 1, late)));
    const LoadsVerdict ten = judge_loads(loads, 0.002, 0, late);
    CHECK(ten.interval.low == Approx(ten.loads.mean - kWidest));
    CHECK(ten.interval.high == Approx(ten.loads.mean + kWidest));
    CHECK(ten.speedup().verdict(0.002) == Verdict::Unclear);
    for (int more = 0; more < 30; ++more)
        loads.push_back(loads[static_cast<std::size_t>(more % 10)]);
    CHECK(judge_loads(loads, 0.002, 0, late).interval.low > 0.002);
}

TEST_CASE("A verdict over loads is that of the loads' means") {
    const std::vector<std::vector<float>> loads = {{0.010f, 0.012f, 0.011f}, {0.009f, 0.010f, 0.011f}};
    const LoadsVerdict judged = judge_loads(loads, 0.001, 0.0005, 0.02);
    CHECK(judged.loads.count == 2);
    CHECK(judged.loads.mean == Approx(0.0105));
    const double known = std::hypot(0.001 / std::sqrt(3.0), 0.0005);
    const double radius = mixture_radius(2, std::max(known, judged.loads.deviation), 0.02);
    CHECK(judged.interval.high - judged.interval.low == Approx(2 * radius));
    CHECK_FALSE(cannot_become_faster({}, 4, 0.001, 0.02, 0.002));
}
