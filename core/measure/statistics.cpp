// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubinlab {

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const std::size_t half = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
    const double upper = values[half];
    if (values.size() % 2 == 1) return upper;
    return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half))) /
           2;
}

Estimate estimate(std::span<const float> samples, double scale) {
    Estimate out;
    out.count = samples.size();
    if (samples.empty()) return out;
    std::vector<double> values(samples.begin(), samples.end());
    const double middle = median(values);
    if (scale <= 0) {
        std::vector<double> distances;
        for (double v : values)
            distances.push_back(std::abs(v - middle));
        scale = 1.4826 * median(distances);  // deviation of a normal from its median absolute deviation
    }
    if (scale > 0 && values.size() > 2)
        for (double& v : values)
            v = std::clamp(v, middle - 4 * scale, middle + 4 * scale);
    double sum = 0;
    for (double v : values)
        sum += v;
    out.mean = sum / static_cast<double>(values.size());
    if (values.size() < 2) return out;
    double squares = 0;
    for (double v : values)
        squares += (v - out.mean) * (v - out.mean);
    out.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return out;
}

double mixture_radius(std::size_t count, double deviation, double alpha, double mixture) {
    if (count == 0) return std::numeric_limits<double>::infinity();
    const double n = static_cast<double>(count);
    const double grown = n * mixture + 1;
    return deviation * std::sqrt(grown / (n * n * mixture) * std::log(grown / (alpha * alpha)));
}

double t_mixture_radius(std::size_t count, double deviation, double alpha, double g) {
    if (count < 2) return std::numeric_limits<double>::infinity();
    const double n = static_cast<double>(count);
    const double grown = 1 + n * g;
    const double k = std::pow(grown / (alpha * alpha), 1 / n);
    if (k >= grown) return std::numeric_limits<double>::infinity();
    return deviation * std::sqrt((n - 1) / n * (k - 1) / (1 - k / grown));
}

Interval pair_interval(const Estimate& e, double known_deviation, double alpha) {
    const double radius = mixture_radius(e.count, std::max(e.deviation, known_deviation), alpha);
    return {e.mean - radius, e.mean + radius};
}

Interval over_loads(const Estimate& loads, double known, double alpha) {
    const double deviation = std::max(loads.deviation, known);
    const double radius = loads.count < 8 ? mixture_radius(loads.count, deviation, alpha)
                                          : t_mixture_radius(loads.count, deviation, alpha);
    return {loads.mean - radius, loads.mean + radius};
}

int verdict_of(const Interval& interval, double same_within) {
    if (interval.low > same_within) return 0;
    if (interval.high < -same_within) return 2;
    return interval.low > -same_within && interval.high < same_within ? 1 : 3;
}

}  // namespace cubinlab
