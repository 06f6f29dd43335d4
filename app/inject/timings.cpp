// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/timings.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
__asm__(".symver log, log@GLIBC_2.2.5");  // the newer one differs in errno alone
#endif

namespace cubinlab::inject {
namespace {

constexpr std::size_t kMostEvents = 256;     // pairs of events of one kernel
constexpr std::size_t kMostPairs = 1 << 20;  // kept
constexpr double kLeastUs = 1e-3;            // an event's step; keeps a logarithm finite

double median(std::vector<float> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

Timings::Ticket Timings::begin(const LaunchSize& size, Handle stream, Code (*record)(Handle, Handle)) {
    Ticket out;
    const Calls& cuda = calls();
    if (!cuda.context_current || !cuda.event_create || !record) return out;
    if (cuda.context_current(&out.context) != kSuccess) return out;
    harvest(false);
    bool make = false;
    {
        const std::lock_guard lock(mutex_);
        auto& free = free_[out.context];
        if (!free.empty()) {
            out.before = free.back().first;
            out.after = free.back().second;
            free.pop_back();
        } else if (made_ < kMostEvents) {
            ++made_;
            make = true;
        }
    }
    if (make &&
        (cuda.event_create(&out.before, 0) != kSuccess || cuda.event_create(&out.after, 0) != kSuccess))
        out.before = out.after = nullptr;
    out.timed = out.before && out.after;
    if (pairs_) {
        const std::lock_guard lock(mutex_);
        Waiting& waiting = waiting_[size];
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
    }
    if (out.timed && record(out.before, stream) != kSuccess) {
        const std::lock_guard lock(mutex_);
        free_[out.context].emplace_back(out.before, out.after);
        out.timed = false;
    }
    return out;
}

void Timings::end(const Ticket& ticket, Handle stream, Code (*record)(Handle, Handle)) {
    if (!ticket.timed) return;
    const bool good = record(ticket.after, stream) == kSuccess;
    const std::lock_guard lock(mutex_);
    if (good) {
        open_.push_back({ticket.context, ticket.before, ticket.after, ticket.pair, ticket.original});
    } else {
        free_[ticket.context].emplace_back(ticket.before, ticket.after);
    }
}

void Timings::take(const Open& open, double us) {
    ++timed_;
    total_us_ += us;
    if (!pairs_ || open.pair == 0) return;
    auto& keep = open.original ? originals_ : tuned_;
    if (keep.size() < kMostPairs) keep.push_back(static_cast<float>(us));
    Pair& pair = half_[open.pair];
    (open.original ? pair.original : pair.tuned) = std::max(us, kLeastUs);
    if (pair.original > 0 && pair.tuned > 0) {
        if (log_ratios_.size() < kMostPairs)
            log_ratios_.push_back(static_cast<float>(std::log(pair.original / pair.tuned)));
        half_.erase(open.pair);
    } else if (half_.size() > 4 * kMostEvents) {
        half_.erase(half_.begin());  // its other half went by untimed
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
        const Code state = cuda.event_query(open.after);
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
        float ms = 0;
        const bool good = state == kSuccess && cuda.event_elapsed(&ms, open.before, open.after) == kSuccess;
        const std::lock_guard lock(mutex_);
        if (good) {
            take(open, static_cast<double>(ms) * 1000);
            free_[open.context].emplace_back(open.before, open.after);
        }
        // Else the context or the driver is gone, and its events with it.
    }
}

Timings::Summary Timings::summary() {
    const std::lock_guard lock(mutex_);
    Summary out;
    out.timed = timed_;
    out.total_us = total_us_;
    out.log_ratios = log_ratios_;
    out.original_us = median(originals_);
    out.tuned_us = median(tuned_);
    return out;
}

}  // namespace cubinlab::inject
