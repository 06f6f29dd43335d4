// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/timings.h"

#include <algorithm>
#include <cmath>

#include "app/inject/tally.h"

#if defined(__x86_64__)
__asm__(".symver log, log@GLIBC_2.2.5");  // the newer version differs only in errno
#endif

namespace cubinlab::inject {
namespace {

constexpr std::size_t kMostHalves = 1024;    // pairs whose other half is not read
constexpr std::size_t kMostPairs = 1 << 20;  // kept
constexpr std::uint64_t kAllTimed = 512;     // first launches of a kernel
constexpr unsigned kOneOf = 512;             // of those behind
constexpr double kLeastUs = 0.032;           // an event's step; keeps a logarithm finite
constexpr double kLeastKernelUs = 1;

}  // namespace

double median_of(std::vector<float> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Chooses which of the two this launch runs. False: the kernel's first pair, which is not timed.
bool Timings::choose(const LaunchSize& size, Ticket& out) {
    const std::lock_guard lock(mutex_);
    Waiting& waiting = waiting_[{out.context, size}];
    if (waiting.pair != 0) {  // the other half
        out.original = !waiting.first_was_original;
        out.pair = waiting.pair;
        waiting.pair = 0;
    } else {
        random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
        out.original = (random_ >> 63) != 0;
        out.pair = next_pair_++;
        waiting = {out.pair, out.original};
    }
    return out.pair > 1;
}

// The choice is a hash of the number: a program that repeats its launches would meet a fixed step always at the same place.
unsigned Timings::stands_for(std::uint64_t number) {
    if (number <= kAllTimed) return 1;
    std::uint64_t hash = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    return (hash ^ hash >> 31) % kOneOf == 0 ? kOneOf : 0;
}

Timings::Ticket Timings::begin(const LaunchSize& size, Handle stream, bool per_thread, unsigned stands_for) {
    Ticket out;
    out.stands_for = stands_for;
    if (!Launches::can_time(out, per_thread)) return out;
    harvest(false);
    if (!pairs_ || choose(size, out)) launches_.begin(out, stream, per_thread, pairs_, pairs_);
    return out;
}

void Timings::harvest(bool last) {
    launches_.harvest(last, [&](const Half& half, const Launches::Time& time) { take(half, time); });
}

void Timings::take(const Half& half, const Launches::Time& time) {
    const std::lock_guard lock(mutex_);
    ++timed_;
    weighted_us_ += time.us * half.stands_for;
    weight_ += half.stands_for;
    // The gate opened early: the time is not valid, and its pair stays incomplete.
    if (!pairs_ || half.pair == 0 || (time.held && !time.queued)) return;
    Kept& kept = kept_[time.queued ? 1 : 0];
    auto& keep = half.original ? kept.originals : kept.tuned;
    if (keep.size() < kMostPairs) keep.push_back(static_cast<float>(time.us));
    if (kept.empty.size() < kMostPairs) kept.empty.push_back(static_cast<float>(time.empty_us));
    Pair& pair = half_[half.pair];
    (half.original ? pair.original : pair.tuned) = std::max(time.us, kLeastUs);
    pair.queued += time.queued ? 1 : 0;
    if (pair.original > 0 && pair.tuned > 0) {
        if (pair.queued != 1 && kept.pairs.size() < kMostPairs)
            kept.pairs.emplace_back(static_cast<float>(pair.original), static_cast<float>(pair.tuned));
        half_.erase(half.pair);
    } else if (half_.size() > kMostHalves) {
        half_.erase(half_.begin());  // its other half was not timed
    }
}

Timings::Summary Timings::summary() {
    const std::lock_guard lock(mutex_);
    Summary out;
    out.timed = timed_;
    if (weight_ > 0) out.total_us = static_cast<double>(timed_) * weighted_us_ / weight_;
    out.queued = kept_[1].pairs.size() >= kept_[0].pairs.size();
    const Kept& kept = kept_[out.queued ? 1 : 0];
    const double original = median_of(kept.originals), tuned = median_of(kept.tuned), empty = median_of(kept.empty);
    // The time of two events alone hides a part of the difference. In shorter kernels only noise is left.
    if (std::min(original, tuned) > empty + kLeastKernelUs) out.empty_us = empty;
    out.original_us = original - out.empty_us;
    out.tuned_us = tuned - out.empty_us;
    for (const auto& [with_original, with_tuned] : kept.pairs)
        out.log_ratios.push_back(
            static_cast<float>(std::log(std::max(with_original - out.empty_us, kLeastUs) /
                                        std::max(with_tuned - out.empty_us, kLeastUs))));
    return out;
}

}  // namespace cubinlab::inject
