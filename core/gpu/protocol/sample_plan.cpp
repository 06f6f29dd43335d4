// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/sample_plan.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

constexpr int kMostPairs = 16;
constexpr double kFar = 4;  // deviations
constexpr double kLeast = 1e-5;

}  // namespace

double usual_deviation(std::span<const std::vector<float>> by_load) {
    std::vector<double> deviations;
    for (const std::vector<float>& pairs : by_load)
        deviations.push_back(estimate(pairs, 0).deviation);
    return deviations.empty() ? kLeast : std::max(median(std::move(deviations)), kLeast);
}

std::optional<std::size_t> odd_load(std::span<const std::vector<float>> by_load) {
    const double usual = usual_deviation(by_load);
    std::optional<std::size_t> out;
    double farthest = kFar * usual;
    for (std::size_t i = 0; i < by_load.size(); ++i) {
        const double deviation = estimate(by_load[i], 0).deviation;
        if (deviation <= farthest) continue;
        farthest = deviation;
        out = i;
    }
    return out;
}

SamplePlan choose_sample_plan(std::span<const SampledLength> tried, double rest, double fixed_us) {
    SamplePlan best;
    double least = 0;
    for (const SampledLength& length : tried)
        for (int pairs = 1; pairs <= kMostPairs; ++pairs) {
            const double variance = rest * rest + length.deviation * length.deviation / pairs;
            const double price = variance * (fixed_us + length.once_us + pairs * length.pair_us);
            if (best.launches > 0 && price >= least) continue;
            least = price;
            best = {length.launches, pairs, length.deviation};
        }
    return best;
}

bool in_doubt(std::span<const float> samples, double deviation) {
    return samples.size() == 2 && std::abs(samples[0] - samples[1]) > kFar * deviation * std::sqrt(2.0);
}

}  // namespace cubinlab
