// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/timings.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "app/inject/tally.h"

#if defined(__x86_64__)
__asm__(".symver log, log@GLIBC_2.2.5");  // the newer version differs only in errno
#endif

namespace cubinlab::inject {
namespace {

constexpr std::size_t kMostEvents = 256;     // pairs of events of one kernel
constexpr std::size_t kMostPairs = 1 << 20;  // kept
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

bool Timings::take_events(Ticket& out) {
    const Calls& cuda = calls();
    {
        const std::lock_guard lock(mutex_);
        auto& free = free_[out.context];
        if (!free.empty()) {
            out.events = free.back();
            free.pop_back();
            return true;
        }
        if (made_ >= kMostEvents) return false;
        ++made_;
    }
    return cuda.event_create(&out.events.before, 0) == kSuccess &&
           cuda.event_create(&out.events.after, 0) == kSuccess &&
           (!pairs_ || cuda.event_create(&out.events.empty, 0) == kSuccess);
}

void Timings::give_back(Handle context, const Events& events) {
    const std::lock_guard lock(mutex_);
    free_[context].push_back(events);
}

Timings::Ticket Timings::begin(const LaunchSize& size, Handle stream, bool per_thread) {
    Ticket out;
    const Calls& cuda = calls();
    const auto record = per_thread ? cuda.event_record_per_thread : cuda.event_record;
    if (!cuda.context_current || !cuda.event_create || !record) return out;
    if (cuda.context_current(&out.context) != kSuccess) return out;
    harvest(false);
    if (pairs_ && !choose(size, out)) return out;
    if (!take_events(out)) return out;
    if (pairs_) out.gate = close_gate(stream, per_thread);
    fault_point("gate");
    out.timed = (!pairs_ || record(out.events.empty, stream) == kSuccess) &&
                record(out.events.before, stream) == kSuccess;
    if (!out.timed) {
        open_gate(out.gate);
        give_back(out.context, out.events);
    }
    return out;
}

void Timings::end(const Ticket& ticket, Handle stream, bool per_thread) {
    if (!ticket.timed) return;
    const auto record = per_thread ? calls().event_record_per_thread : calls().event_record;
    const bool good = record(ticket.events.after, stream) == kSuccess;
    const bool queued = open_gate(ticket.gate);
    if (!good) return give_back(ticket.context, ticket.events);
    // The gate opened early: the time is not valid, and its pair stays incomplete.
    const std::uint64_t pair = ticket.gate && !queued ? 0 : ticket.pair;
    const std::lock_guard lock(mutex_);
    open_.push_back({ticket.context, ticket.events, pair, ticket.original, queued});
}

void Timings::take(const Open& open, double us, double empty_us) {
    ++timed_;
    total_us_ += us;
    if (!pairs_ || open.pair == 0) return;
    Kept& kept = kept_[open.queued ? 1 : 0];
    auto& keep = open.original ? kept.originals : kept.tuned;
    if (keep.size() < kMostPairs) keep.push_back(static_cast<float>(us));
    if (kept.empty.size() < kMostPairs) kept.empty.push_back(static_cast<float>(empty_us));
    Pair& pair = half_[open.pair];
    (open.original ? pair.original : pair.tuned) = std::max(us, kLeastUs);
    pair.queued += open.queued ? 1 : 0;
    if (pair.original > 0 && pair.tuned > 0) {
        if (pair.queued != 1 && kept.pairs.size() < kMostPairs)
            kept.pairs.emplace_back(static_cast<float>(pair.original), static_cast<float>(pair.tuned));
        half_.erase(open.pair);
    } else if (half_.size() > 4 * kMostEvents) {
        half_.erase(half_.begin());  // its other half was not timed
    }
}

void Timings::harvest(bool last) {
    const Calls& cuda = calls();
    if (!cuda.event_query || !cuda.event_elapsed) return;
    timespec start{};
    ::clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        Open open{};
        {
            const std::lock_guard lock(mutex_);
            if (open_.empty()) return;
            open = open_.front();
            open_.erase(open_.begin());
        }
        const Code state = cuda.event_query(open.events.after);
        constexpr Code kNotReady = 600;
        if (state == kNotReady) {
            {
                const std::lock_guard lock(mutex_);
                open_.insert(open_.begin(), open);
            }
            timespec now{};
            ::clock_gettime(CLOCK_MONOTONIC, &now);
            if (!last || now.tv_sec - start.tv_sec > 2) return;
            const timespec nap{0, 1000000};
            ::nanosleep(&nap, nullptr);
            continue;
        }
        float ms = 0, empty_ms = 0;
        const Events& e = open.events;
        const bool good = state == kSuccess && cuda.event_elapsed(&ms, e.before, e.after) == kSuccess &&
                          (!e.empty || cuda.event_elapsed(&empty_ms, e.empty, e.before) == kSuccess);
        const std::lock_guard lock(mutex_);
        if (good) {
            take(open, static_cast<double>(ms) * 1000, static_cast<double>(empty_ms) * 1000);
            free_[open.context].push_back(e);
        }
        // Otherwise the context or the driver is gone, and its events with it.
    }
}

Timings::Summary Timings::summary() {
    const std::lock_guard lock(mutex_);
    Summary out;
    out.timed = timed_;
    out.total_us = total_us_;
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
