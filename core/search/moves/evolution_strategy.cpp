// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/evolution_strategy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cubinlab {

double normal(Rng& rng) {
    const double a = 1 - rng.unit(), b = rng.unit();
    return std::sqrt(-2 * std::log(a)) * std::cos(2 * 3.14159265358979323846 * b);
}

EvolutionStrategy::EvolutionStrategy(Point mean, double step)
    : mean_(std::move(mean)),
      variance_(mean_.size(), 1),
      path_step_(mean_.size(), 0),
      path_variance_(mean_.size(), 0),
      step_(step) {
    set_rates();
}

// The default constants (Hansen, "The CMA evolution strategy: a tutorial", 2016) with the rates of the
// separable form.
void EvolutionStrategy::set_rates() {
    const auto n = static_cast<double>(mean_.size());
    lambda_ = 4 + static_cast<std::size_t>(3 * std::log(n));
    mu_ = lambda_ / 2;
    share_.clear();
    for (std::size_t i = 0; i < mu_; ++i)
        share_.push_back(std::log(static_cast<double>(mu_) + 0.5) - std::log(static_cast<double>(i) + 1));
    const double sum = std::accumulate(share_.begin(), share_.end(), 0.0);
    double squares = 0;
    for (double& s : share_) {
        s /= sum;
        squares += s * s;
    }
    mu_effective_ = 1 / squares;
    c_step_ = (mu_effective_ + 2) / (n + mu_effective_ + 5);
    d_step_ = 1 + 2 * std::max(0.0, std::sqrt((mu_effective_ - 1) / (n + 1)) - 1) + c_step_;
    c_path_ = (4 + mu_effective_ / n) / (n + 4 + 2 * mu_effective_ / n);
    const double faster = (n + 2) / 3;
    c_one_ = std::min(1.0, faster * 2 / ((n + 1.3) * (n + 1.3) + mu_effective_));
    c_mu_ = std::min(1 - c_one_, faster * 2 * (mu_effective_ - 2 + 1 / mu_effective_) /
                                     ((n + 2) * (n + 2) + mu_effective_));
    expected_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

Point EvolutionStrategy::draw(Rng& rng) const {
    Point out = mean_;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] += step_ * std::sqrt(variance_[i]) * normal(rng);
    return out;
}

void EvolutionStrategy::tell(const std::vector<Point>& points, const std::vector<double>& values) {
    const std::size_t best = std::min(mu_, points.size());
    if (best == 0) return;
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    const Point before = mean_;
    std::fill(mean_.begin(), mean_.end(), 0);
    double shares = 0;
    for (std::size_t k = 0; k < best; ++k)
        shares += share_[k];
    for (std::size_t k = 0; k < best; ++k)
        for (std::size_t i = 0; i < mean_.size(); ++i)
            mean_[i] += share_[k] / shares * points[order[k]][i];
    ++generations_;
    double length = 0;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
        const double moved = (mean_[i] - before[i]) / step_;
        path_step_[i] = (1 - c_step_) * path_step_[i] +
                        std::sqrt(c_step_ * (2 - c_step_) * mu_effective_) * moved / std::sqrt(variance_[i]);
        length += path_step_[i] * path_step_[i];
    }
    length = std::sqrt(length);
    const auto generation = static_cast<double>(generations_);
    const bool steady = length / std::sqrt(1 - std::pow(1 - c_step_, 2 * generation)) <
                        (1.4 + 2 / (static_cast<double>(mean_.size()) + 1)) * expected_;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
        const double moved = (mean_[i] - before[i]) / step_;
        path_variance_[i] = (1 - c_path_) * path_variance_[i] +
                            (steady ? std::sqrt(c_path_ * (2 - c_path_) * mu_effective_) * moved : 0);
        double spread = 0;
        for (std::size_t k = 0; k < best; ++k) {
            const double y = (points[order[k]][i] - before[i]) / step_;
            spread += share_[k] / shares * y * y;
        }
        variance_[i] = std::clamp((1 - c_one_ - c_mu_) * variance_[i] +
                                      c_one_ * path_variance_[i] * path_variance_[i] + c_mu_ * spread,
                                  1e-6, 1e6);
    }
    step_ = std::clamp(step_ * std::exp(c_step_ / d_step_ * (length / expected_ - 1)), 1e-6, 10.0);
}

}  // namespace cubinlab
