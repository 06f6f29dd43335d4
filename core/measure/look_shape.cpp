// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/look_shape.h"

#include <algorithm>
#include <cmath>

namespace cubinlab {
namespace {

constexpr int kMostPairs = 16;
constexpr double kFar = 4;  // deviations

}  // namespace

LookShape choose_look(std::span<const SampledLength> tried, double rest, double fixed_us) {
    LookShape best;
    double least = 0;
    for (const SampledLength& length : tried)
        for (int pairs = 1; pairs <= kMostPairs; ++pairs) {
            const double variance = rest * rest + length.deviation * length.deviation / pairs;
            const double price = variance * (fixed_us + pairs * length.pair_us);
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
