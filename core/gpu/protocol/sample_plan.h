// SPDX-License-Identifier: GPL-3.0-or-later
// How a measurement of a search samples a load. On most kernels two pairs of a load differ by about 0.33 us
// per sample, for any number of launches (resources/docs/evidence/sample-length.md): one long pair then gives
// more information than several short ones in the same time. Where every launch varies independently, the
// length does not matter. The calibration measures which case holds.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/result/measurement.h"

namespace cubinlab {

// A sample length that was measured.
struct SampledLength {
    int launches = 0;
    double pair_us = 0;    // time of a pair, including untimed launches
    double deviation = 0;  // of a pair within a load, log
    double once_us = 0;    // time per test in addition to its pairs
};

// The deviation of a pair within a usual load, at least 1e-5: from the median of the variances of the loads, so
// that one disturbed load does not set the plan of a whole run.
double usual_deviation(std::span<const std::vector<float>> by_load);

// The load whose pairs scatter most, if they scatter more than four times as much as those of the median load;
// otherwise empty. Either something disturbed it or the GPU is noisy: repeat the load to find out.
std::optional<std::size_t> odd_load(std::span<const std::vector<float>> by_load);

// The length of `tried` and the number of pairs (1 to 16) that resolve most in a given time: the minimum of
// (rest^2 + deviation^2 / pairs) * (fixed_us + once_us + pairs * pair_us). `rest`: deviation of a test that more
// pairs do not reduce, log. `fixed_us`: time of a test without its pairs. Empty `tried`: a plan with 0 launches.
SamplePlan choose_sample_plan(std::span<const SampledLength> tried, double rest, double fixed_us);

// Whether two samples (log-ratios) differ by more than four deviations: one of them is an outlier, and a
// third sample decides which. A single sample is never in doubt; a refinement over fresh loads checks it.
bool in_doubt(std::span<const float> samples, double deviation);

}  // namespace cubinlab
