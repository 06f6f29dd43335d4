// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/starts/order_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/search/moves/evolution_strategy.h"

namespace cubinlab {
namespace {

constexpr std::array<std::uint32_t, 4> kRanges = {12, 40, 150, 600};  // units of the base that are decided
constexpr double kWhole = 0.2;                                        // of the orders: all units
constexpr float kSpread = 0.15F;                                      // of changed weights
constexpr double kFirstMoment = 0.9, kSecondMoment = 0.99, kSmall = 1e-8;

// Standard normal numbers, the same for the same seed.
std::vector<float> noise_of(std::uint64_t seed) {
    Rng rng(seed);
    std::vector<float> out(kOrderWeights);
    for (float& x : out)
        x = static_cast<float>(normal(rng));
    return out;
}

// From -0.5 for the worst to 0.5 for the best; equal gains have equal ranks.
std::vector<double> ranks(std::span<const double> gains) {
    std::vector<double> out(gains.size());
    for (std::size_t i = 0; i < gains.size(); ++i) {
        const auto below = std::ranges::count_if(gains, [&](double g) { return g < gains[i]; });
        const auto equal = std::ranges::count(gains, gains[i]);
        out[i] = (static_cast<double>(below) + static_cast<double>(equal - 1) / 2) /
                     static_cast<double>(std::max<std::size_t>(1, gains.size() - 1)) -
                 0.5;
    }
    return out;
}

}  // namespace

OrderLearner::OrderLearner(std::shared_ptr<const ptx::OrderFacts> facts, ConstructSettings settings, std::uint64_t seed)
    : facts_(std::move(facts)),
      settings_(std::move(settings)),
      rng_(seed ^ 0x0c0457ull),
      weights_(std::make_shared<const OrderWeights>(settings_.weights)),
      first_(kOrderWeights),
      second_(kOrderWeights) {}

DrawnOrder OrderLearner::draw(OrderKeys base) {
    DrawnOrder out;
    const auto units = static_cast<std::uint32_t>(facts_->order.units.size());
    out.task.base = std::move(base);
    out.task.count = units;
    if (!rng_.chance(kWhole)) {
        out.task.count = std::min(units, kRanges[rng_.below(kRanges.size())]);
        out.task.first = rng_.below(units - out.task.count + 1);
    }
    out.task.seed = rng_.next();
    out.weights = weights_;
    if (!settings_.evolution || settings_.rate <= 0) {
        out.task.gradient = settings_.rate > 0;
        return out;
    }
    // The second of a pair decides with the same random numbers.
    if (partner_) {
        out.noise = partner_->noise;
        out.sign = -1;
        out.task.seed = partner_->task.seed;
        out.weights = partner_->weights;
        partner_.reset();
    } else {
        out.noise = rng_.next();
        out.sign = 1;
        partner_ = out;
    }
    return out;
}

BuiltEpisode OrderLearner::build(const DrawnOrder& drawn) const {
    if (drawn.sign == 0) return {build_order(*facts_, *drawn.weights, drawn.task)};
    OrderWeights changed = *drawn.weights;
    const std::vector<float> noise = noise_of(drawn.noise);
    for (std::size_t i = 0; i < kOrderWeights; ++i)
        changed[i] += drawn.sign * kSpread * noise[i];
    return {build_order(*facts_, changed, drawn.task), drawn.noise, drawn.sign};
}

void OrderLearner::add(BuiltEpisode episode, double gain) {
    if (episode.order.decided == 0) return;
    seen_.push_back({std::move(episode), gain});
}

std::vector<double> OrderLearner::direction() const {
    std::vector<double> gains;
    for (const Seen& s : seen_)
        gains.push_back(s.gain);
    const std::vector<double> rank = ranks(gains);
    std::vector<double> out(kOrderWeights);
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        const BuiltEpisode& episode = seen_[i].episode;
        const std::vector<float> along = episode.sign == 0 ? episode.order.gradient : noise_of(episode.noise);
        const double by = rank[i] * (episode.sign == 0 ? 1 : episode.sign);
        for (std::size_t w = 0; w < std::min(along.size(), out.size()); ++w)
            out[w] += by * along[w];
    }
    return out;
}

void OrderLearner::learn(std::vector<SearchMetric>& metrics) {
    if (seen_.size() < kEpisodes) return;
    const auto number = static_cast<double>(seen_.size());
    for (std::size_t k = 0; k < kFeatures; ++k) {
        double sum = 0;
        for (const Seen& s : seen_)
            sum += s.episode.order.prefers[k];
        metrics.push_back({fmt::format("prefers_{}", kOrderFeatures[k].name), sum / number});
    }
    metrics.push_back({"order_gain", std::accumulate(seen_.begin(), seen_.end(), 0.0,
                                                     [](double sum, const Seen& s) { return sum + s.gain; }) /
                                         number});
    if (settings_.rate > 0) {
        ++updates_;
        const std::vector<double> along = direction();
        auto moved = std::make_shared<OrderWeights>(*weights_);
        const double first_part = 1 - std::pow(kFirstMoment, static_cast<double>(updates_));
        const double second_part = 1 - std::pow(kSecondMoment, static_cast<double>(updates_));
        for (std::size_t w = 0; w < kOrderWeights; ++w) {
            first_[w] = kFirstMoment * first_[w] + (1 - kFirstMoment) * along[w];
            second_[w] = kSecondMoment * second_[w] + (1 - kSecondMoment) * along[w] * along[w];
            const double root = std::sqrt(second_[w] / second_part) + kSmall;
            (*moved)[w] += static_cast<float>(settings_.rate * first_[w] / first_part / root);
        }
        weights_ = std::move(moved);
    }
    seen_.clear();
}

}  // namespace cubinlab
