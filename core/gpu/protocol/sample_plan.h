// SPDX-License-Identifier: GPL-3.0-or-later
// How one look of a search samples a load. What sets two pairs of one load apart is on most kernels a third of a
// microsecond for each sample, however many launches it holds (resources/docs/evidence/sample-length.md),
// so that one long pair says more than several short ones in the same time; where every launch varies by itself
// the length is all the same. Which it is, the calibration tells.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cubinlab {

struct SamplePlan {
    int launches = 0;  // of one sample; 0: not calibrated, as the rung's samples are
    int pairs = 0;
    double deviation = 0;  // of one such pair within a load, log
    friend bool operator==(const SamplePlan&, const SamplePlan&) = default;
};

// A length that was tried.
struct SampledLength {
    int launches = 0;
    double pair_us = 0;    // what a pair takes, untimed launches included
    double deviation = 0;  // of a pair within a load, log
    double once_us = 0;    // what the length costs a test beside its pairs
};

// Deviation of a pair within a load as it is in most of the loads, at least 1e-5: the median of the loads' variances. The
// shape holds for a whole run, and one disturbed moment among six loads has made each of its tests 16 pairs long.
double usual_deviation(std::span<const std::vector<float>> by_load);

// The load whose pairs lie more than four times as far apart as the median load's, the farthest of them; empty where none
// does. Something else was at work then, or the GPU is a restless one: a second try tells.
std::optional<std::size_t> odd_load(std::span<const std::vector<float>> by_load);

// The length and the number of pairs by which many tests are told apart best in a given time: of `tried` and 1 to 16
// pairs those with the least (rest^2 + deviation^2 / pairs) * (fixed_us + once_us + pairs * pair_us). `rest`: deviation of a test
// that no pair lessens, log. `fixed_us`: what a test costs beside its pairs. None tried: no launches.
SamplePlan choose_sample_plan(std::span<const SampledLength> tried, double rest, double fixed_us);

// Whether two samples (log-ratios) disagree by more than four deviations: one is a hiccup of the machine, and a
// third tells which. One alone tells nothing of itself; what it promises is looked at closer, over fresh loads.
bool in_doubt(std::span<const float> samples, double deviation);

}  // namespace cubinlab
