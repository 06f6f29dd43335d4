// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_timer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubinlab {
namespace {

// A time of 0 is below the timer step; keep the logarithm finite.
constexpr double kLeastUs = 1e-3;

}  // namespace

float PairSample::log_ratio() const {
    return static_cast<float>(std::log(reference_us / candidate_us));
}

SampleShape GpuTimer::shape_for(double kernel_us, double target_us, Cache cache) const {
    const bool hot = cache == Cache::Hot;
    SampleShape out;
    out.cache = cache;
    out.restore_each = restore_each_;
    out.launches = static_cast<int>(std::clamp(std::ceil(target_us / std::max(kernel_us, 0.5)), 1.0,
                                               !hot || restore_each_ ? 8.0 : 256.0));
    // A long kernel hides a cold instruction cache; a warmed cache would not be prepared.
    out.warm_launch = hot && kernel_us < 300;
    return with_launches(out, out.launches, kernel_us);
}

SampleShape GpuTimer::with_launches(SampleShape shape, int launches, double kernel_us) {
    shape.launches = launches;
    // Batches are bounded: the queue of the stream stays short (512 launches, about 0.25 s), and a hang is
    // detected soon.
    const double pair_us = 2.0 * (launches + 1) * std::max(kernel_us, 0.5);
    shape.batch =
        static_cast<int>(std::clamp(std::min(256.0 / (launches + 1), 250000.0 / pair_us), 1.0, 16.0));
    return shape;
}

SampleShape GpuTimer::for_plan(SampleShape shape, int launches, double kernel_us) {
    constexpr double kWarmUs = 60;
    shape = with_launches(shape, launches, kernel_us);
    shape.first_warm = static_cast<int>(std::clamp(std::ceil(kWarmUs / std::max(kernel_us, 0.5)), 1.0, 8.0));
    shape.reference_first = true;
    return shape;
}

Status GpuTimer::start(const LoadedKernel& kernel, const GpuArena& arena) {
    ++launches_;
    return launch(device_, kernel, workload_, arena.params());
}

Status GpuTimer::restore(const LoadedKernel& kernel, const GpuArena& arena) {
    if (!arena.has_inout()) return {};
    TRY(arena.restore_symbols(device_, kernel));
    return arena.restore_inout(device_);
}

Status GpuTimer::flush_l2() {
    if (flush_buffer_.bytes() == 0) {
        const std::size_t bytes =
            std::max<std::size_t>(64u << 20, static_cast<std::size_t>(device_.facts().l2_bytes) * 3);
        flush_buffer_ = TRY(DeviceMemory::allocate(device_.api(), bytes));
    }
    CUBINLAB_CU(device_.api(), fill32_async, flush_buffer_.address(), 0u, flush_buffer_.bytes() / 4,
                device_.stream());
    return {};
}

Status GpuTimer::prepare(Cache cache, const GpuArena& arena) {
    if (cache == Cache::Hot) return {};
    TRY(flush_l2());
    return cache == Cache::Produced ? producer_.write(device_, arena.inputs(), flush_buffer_) : Status{};
}

Status GpuTimer::separate() {
    constexpr std::size_t kBytes = 256;
    if (separator_.bytes() == 0) separator_ = TRY(DeviceMemory::allocate(device_.api(), kBytes));
    CUBINLAB_CU(device_.api(), fill32_async, separator_.address(), 0u, kBytes / 4, device_.stream());
    return {};
}

Result<GpuTimer::Span> GpuTimer::enqueue_sample(const LoadedKernel& kernel, const GpuArena& arena,
                                                const SampleShape& shape, int warm, int extra) {
    const bool alone = shape.cache != Cache::Hot || shape.restore_each;
    Span span{next_event_, alone ? static_cast<std::size_t>(shape.launches) : 1};
    next_event_ += span.count * 2;
    TRY(restore(kernel, arena));
    for (int i = 0; shape.warm_launch && i < warm; ++i)
        TRY(start(kernel, arena));
    const int inside = alone ? 1 : shape.launches + extra;
    for (std::size_t i = 0; i < span.count; ++i) {
        if (shape.restore_each) TRY(restore(kernel, arena));
        TRY(prepare(shape.cache, arena));
        auto before = device_.event(span.first + 2 * i);
        auto after = device_.event(span.first + 2 * i + 1);
        if (!before || !after) return fail(before ? after.error() : before.error());
        CUBINLAB_CU(device_.api(), event_record, *before, device_.stream());
        for (int k = 0; k < inside; ++k)
            TRY(start(kernel, arena));
        CUBINLAB_CU(device_.api(), event_record, *after, device_.stream());
    }
    return span;
}

Result<double> GpuTimer::read(const Span& span, const SampleShape& shape) const {
    double total = 0;
    for (std::size_t i = 0; i < span.count; ++i) {
        auto before = device_.event(span.first + 2 * i);
        auto after = device_.event(span.first + 2 * i + 1);
        if (!before || !after) return fail(before ? after.error() : before.error());
        auto us = device_.elapsed_us(*before, *after);
        if (!us) return us;
        total += *us;
    }
    return total / shape.launches;
}

Result<std::vector<PairSample>> GpuTimer::pairs(const LoadedKernel& reference, const LoadedKernel& candidate,
                                                const GpuArena& arena, const SampleShape& shape, int count,
                                                const std::function<Status()>& behind) {
    std::vector<PairSample> out;
    while (static_cast<int>(out.size()) < count) {
        const int now = std::min(shape.batch, count - static_cast<int>(out.size()));
        next_event_ = 0;
        std::vector<std::pair<Span, Span>> spans;
        for (int i = 0; i < now; ++i) {
            const bool reference_first = shape.reference_first || (random_() & 1) != 0;
            const int warm = out.empty() && i == 0 ? shape.first_warm : 1;
            const int first_extra = reference_first ? shape.extra_reference : shape.extra_candidate;
            const int second_extra = reference_first ? shape.extra_candidate : shape.extra_reference;
            auto first =
                TRY(enqueue_sample(reference_first ? reference : candidate, arena, shape, warm, first_extra));
            auto second =
                TRY(enqueue_sample(reference_first ? candidate : reference, arena, shape, 1, second_extra));
            spans.emplace_back(reference_first ? first : second, reference_first ? second : first);
        }
        if (behind && static_cast<int>(out.size()) + now == count) TRY(behind());
        TRY(device_.synchronize());
        for (const auto& [reference_span, candidate_span] : spans) {
            auto r = read(reference_span, shape);
            auto c = read(candidate_span, shape);
            if (!r || !c) return fail(r ? c.error() : r.error());
            out.push_back({std::max(*r, kLeastUs), std::max(*c, kLeastUs)});
        }
    }
    return out;
}

Result<std::vector<std::vector<PairSample>>> GpuTimer::together(
    const LoadedKernel& reference, std::span<const LoadedKernel* const> candidates, const GpuArena& arena,
    const SampleShape& shape, int rounds, const std::function<Status()>& behind) {
    std::vector<std::vector<PairSample>> out(candidates.size());
    const int samples = static_cast<int>(candidates.size()) + 1;
    // As many launches at a time as for pairs.
    // What is prepared before each launch of another cache state takes longer than the launch.
    const int at_once = shape.cache == Cache::Hot ? std::max(1, 2 * shape.batch / samples) : 1;
    // After a check the first launch of a long kernel takes 0.8 % longer (flash_attn_d64 on an H100).
    if (!shape.warm_launch && shape.cache == Cache::Hot) {
        TRY(restore(reference, arena));
        TRY(start(reference, arena));
    }
    for (int done = 0; done < rounds;) {
        const int now = std::min(at_once, rounds - done);
        next_event_ = 0;
        std::vector<Span> spans;
        for (int i = 0; i < now * samples + 1; ++i) {
            const int which = i % samples;
            const int warm = done == 0 && i == 0 ? shape.first_warm : 1;
            const LoadedKernel& kernel =
                which == 0 ? reference : *candidates[static_cast<std::size_t>(which - 1)];
            auto span = TRY(enqueue_sample(kernel, arena, shape, warm, 0));
            spans.push_back(span);
            TRY(separate());
        }
        // With nothing enqueued after it, the last sample is 0.6 us shorter than the others.
        if (shape.warm_launch) TRY(start(*candidates.front(), arena));
        done += now;
        if (done == rounds) TRY(behind());
        TRY(device_.synchronize());
        std::vector<double> times;
        for (const Span& span : spans) {
            auto us = TRY(read(span, shape));
            times.push_back(std::max(us, kLeastUs));
        }
        for (std::size_t first = 0; first + 1 < times.size(); first += static_cast<std::size_t>(samples))
            for (std::size_t k = 0; k < candidates.size(); ++k) {
                const double way = static_cast<double>(k + 1) / samples;
                const double before = times[first], after = times[first + static_cast<std::size_t>(samples)];
                out[k].push_back({before + (after - before) * way, times[first + k + 1]});
            }
    }
    return out;
}

Result<double> GpuTimer::single_us(const LoadedKernel& kernel, const GpuArena& arena, int launches) {
    for (int i = 0; i < 3; ++i) {
        if (restore_each_) TRY(restore(kernel, arena));
        TRY(start(kernel, arena));
    }
    next_event_ = 0;
    const SampleShape shape{
        .launches = launches, .warm_launch = false, .batch = 1, .restore_each = restore_each_};
    auto span = TRY(enqueue_sample(kernel, arena, shape, 1, 0));
    TRY(device_.synchronize());
    return read(span, shape);
}

Result<double> GpuTimer::timer_step_us() {
    constexpr std::size_t kEvents = 257;
    for (std::size_t i = 0; i < kEvents; ++i) {
        auto event = TRY(device_.event(i));
        CUBINLAB_CU(device_.api(), event_record, event, device_.stream());
    }
    TRY(device_.synchronize());
    std::vector<double> times;
    for (std::size_t i = 1; i < kEvents; ++i) {
        auto us = device_.elapsed_us(*device_.event(i - 1), *device_.event(i));
        if (!us) return us;
        times.push_back(*us);
    }
    std::sort(times.begin(), times.end());
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] - times[i - 1] > 1e-3)
            step = std::min(step, times[i] - times[i - 1]);  // 1 ns: rounding of floats
    if (!std::isfinite(step)) step = times.back() > 0 ? times.back() : 1.0;
    return step;
}

}  // namespace cubinlab
