// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/statistics.h"

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
    const double held = std::min(radius, kWidest);
    return {loads.mean - held, loads.mean + held};
}

LoadsVerdict judge_loads(std::span<const std::vector<float>> by_load, double pair_deviation,
                         double load_deviation, double alpha) {
    std::vector<float> means;
    std::size_t pairs = 0;
    for (const std::vector<float>& ratios : by_load) {
        means.push_back(static_cast<float>(estimate(ratios, 0).mean));
        pairs = std::max(pairs, ratios.size());
    }
    LoadsVerdict out;
    out.loads = estimate(means, 1e9);
    const double known = std::hypot(
        pair_deviation / std::sqrt(static_cast<double>(std::max<std::size_t>(pairs, 1))), load_deviation);
    out.interval = over_loads(out.loads, known, alpha);
    return out;
}

bool cannot_become_faster(const Estimate& now, std::size_t planned, double known, double alpha,
                          double same_within) {
    if (now.count == 0 || now.count >= planned) return false;
    const double deviation = std::max(now.deviation, known);
    const double n = static_cast<double>(now.count), end = static_cast<double>(planned);
    const double reach = now.mean + 2.5 * deviation * std::sqrt(1 / n - 1 / end);
    Estimate last = now;
    last.mean = reach;
    last.count = planned;
    return over_loads(last, known, alpha).low < same_within;
}

}  // namespace cubinlab
