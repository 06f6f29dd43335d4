// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/independent_climb.h"

#include <algorithm>

namespace cubinlab {
namespace {

// Measurements of the first turn: the sweep of a fresh sample kernel takes up to 550. The turn continues while every
// kProlonged measurements bring kPays log speed-up, up to kFirstAtMost.
constexpr std::uint64_t kFirst = 600, kProlonged = 300, kFirstAtMost = 3000;
constexpr double kPays = 0.002;
static_assert(kFirst % kProlonged == 0);
constexpr std::uint64_t kPart = 4;      // it gets one in four measurements
constexpr double kBehind = 0.015;       // while it is at most this log speed-up behind the best
constexpr std::uint64_t kTrial = 1500;  // or has had at most this number of measurements

}  // namespace

void IndependentClimb::begin(std::uint64_t number, const SearchPoint* from) {
    SearchContext context = context_;
    context.seed = context_.seed * 1000 + number;
    Settings settings;
    for (const SettingRange& s : greedy_settings())
        settings.emplace(s.name, s.value);
    climb_ = make_strict_climb(context_, make_greedy_searcher(context, settings));
    if (from != nullptr && from->step != 0) climb_->restart_from(*from);
    mark_ = climb_->here().speedup.log;
    has_turn_ = true;
    left_ = kProlonged;
}

bool IndependentClimb::take_turn(std::size_t measured, double best, std::size_t least, std::size_t most) {
    const std::uint64_t part = measured / kPart;
    if (!climb_ || measured_ >= part) return false;
    if (measured_ > kTrial && climb_->here().speedup.log < best - kBehind) return false;
    has_turn_ = true;
    left_ = std::clamp<std::uint64_t>(part - measured_, least, most);
    return true;
}

void IndependentClimb::observed(std::size_t measurements) {
    measured_ += measurements;
    left_ -= std::min<std::uint64_t>(left_, measurements);
    if (left_ == 0 && climb_->at_checkpoint() && !first_turn_continues()) has_turn_ = false;
}

bool IndependentClimb::first_turn_continues() {
    if (!first_) return false;
    const double gained = climb_->here().speedup.log - mark_;
    first_ = measured_ < kFirstAtMost && (measured_ < kFirst || gained >= kPays);
    mark_ = climb_->here().speedup.log;
    left_ = kProlonged;
    return first_;
}

}  // namespace cubinlab
