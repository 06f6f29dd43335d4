// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/own_way.h"

#include <algorithm>

namespace cubinlab {
namespace {

// Measurements of the first turn: the sweep of a fresh kernel of the samples takes up to some 550. It goes on while so many
// bring this log speed-up, though not for ever.
constexpr std::uint64_t kFirst = 600, kGoesOn = 300, kFirstAtMost = 3000;
constexpr double kPays = 0.002;
static_assert(kFirst % kGoesOn == 0);
constexpr std::uint64_t kPart = 4;      // of what is measured, one part in so many is its,
constexpr double kBehind = 0.015;       // while it is no more than this log speed-up behind
constexpr std::uint64_t kTrial = 1500;  // or has measured no more than this

}  // namespace

void OwnWay::begin(std::uint64_t number) {
    SearchContext context = context_;
    context.seed = context_.seed * 1000 + number;
    Settings settings;
    for (const SettingRange& s : greedy_settings())
        settings.emplace(s.name, s.value);
    climb_ = make_strict_arm(context_, make_greedy_arm(context, settings));
    has_turn_ = true;
    left_ = kGoesOn;
}

bool OwnWay::take_turn(std::size_t measured, double best, std::size_t least, std::size_t most) {
    const std::uint64_t part = measured / kPart;
    if (!climb_ || measured_ >= part) return false;
    if (measured_ > kTrial && here().log_speedup < best - kBehind) return false;
    has_turn_ = true;
    left_ = std::clamp<std::uint64_t>(part - measured_, least, most);
    return true;
}

ObserveResult OwnWay::observe(const std::vector<Observation>& observations) {
    ObserveResult told = climb_->observe(observations);
    measured_ += observations.size();
    left_ -= std::min<std::uint64_t>(left_, observations.size());
    if (left_ == 0 && climb_->settled() && !first_goes_on()) has_turn_ = false;
    return told;
}

bool OwnWay::first_goes_on() {
    if (!first_) return false;
    const double gained = here().log_speedup - mark_;
    first_ = measured_ < kFirstAtMost && (measured_ < kFirst || gained >= kPays);
    mark_ = here().log_speedup;
    left_ = kGoesOn;
    return first_;
}

}  // namespace cubinlab
