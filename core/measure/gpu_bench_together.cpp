// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at several candidates at once. A search's test is one pair, half of whose time goes to the reference, after checks,
// loads and a wait that cost as much again. Several candidates between two samples of the reference share all of that but
// their own samples, and the reference is read between the two by their distance, so that a drift does not count.
//
// They share the blame too: a fault says nothing of whose it was, nor does a stray store. Then none of them gets an outcome,
// and the client asks for each alone on a fresh worker.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/measure/gpu_bench.h"

namespace cubinlab {
namespace {

// By candidate of a group: set of its first launch, which no other's is, nor the timed one; and of its last.
std::size_t first_set_of(std::size_t candidate) {
    return 1 + candidate;
}
std::size_t last_set_of(std::size_t candidate) {
    return candidate;
}

}  // namespace

// Each needs a set of its own for its first launch.
std::size_t GpuBench::sets_together() const {
    return may_check_with_pairs() && !settings_.flush_l2 ? std::min(kTogetherAtMost, screen_sets() - 1) : 1;
}

std::size_t GpuBench::together_at_most() const {
    return calibration_.test.launches > 0 ? sets_together() : 1;
}

std::vector<DigestRegion> GpuBench::outputs_of(std::size_t set) const {
    std::vector<DigestRegion> out;
    for (const ArenaRegion& region : arenas_[set].regions())
        if (region.use == RegionUse::Output) out.push_back(region.memory);
    return out;
}

Status GpuBench::enqueue_first_launches(std::span<const LoadedKernel> kernels) {
    std::vector<DigestRegion> outputs;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        ++times_.launches;
        TRY(launch_on(kernels[k], first_set_of(k), settings_.flush_l2));
        const std::vector<DigestRegion> own = outputs_of(first_set_of(k));
        outputs.insert(outputs.end(), own.begin(), own.end());
    }
    return digester_->enqueue(GpuDigester::Slot::First, outputs);
}

Status GpuBench::enqueue_last_launches(std::span<const LoadedKernel> kernels) {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        ++times_.launches;
        TRY(launch_on(kernels[k], last_set_of(k), settings_.flush_l2));
    }
    return digester_->enqueue(GpuDigester::Slot::Last, regions_of(0, all_sets()));
}

Status GpuBench::judge_together(std::size_t candidates) {
    const std::vector<Digest> first = digester_->seen(GpuDigester::Slot::First);
    std::size_t at = 0;
    for (std::size_t k = 0; k < candidates; ++k) {
        const std::size_t set = first_set_of(k);
        const auto& regions = arenas_[set].regions();
        for (std::size_t i = 0; i < regions.size(); ++i)
            if (regions[i].use == RegionUse::Output && !(first[at++] == expected_[set][i]))
                return fail(ErrorCode::Worker, fmt::format("input set {}: an output differs", set),
                            "first launches");
    }
    const GateVerdict last = judge(digester_->seen(GpuDigester::Slot::Last), 0, true);
    if (last.kind != OutcomeKind::Ok) return fail(ErrorCode::Worker, last.detail, "after timing");
    return {};
}

Status GpuBench::time_together(std::span<const LoadedKernel> kernels, std::vector<BenchOutcome>& out) {
    Stopwatch watch(times_.timing);
    const LookShape& look = calibration_.test;
    const SampleShape shape = look_shape();
    std::vector<std::vector<PairSample>> all(kernels.size());
    std::vector<std::size_t> members(kernels.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    monitor_->take_reasons();
    std::uint32_t aside = 0;
    for (int rounds = look.pairs; !members.empty();) {
        std::vector<const LoadedKernel*> now;
        for (const std::size_t k : members)
            now.push_back(&kernels[k]);
        auto pairs = TRY(timer_->together(reference_, now, arenas_[kTimedSet], shape, rounds,
                                          [&] { return enqueue_last_launches(kernels); }));
        GpuState state = monitor_->latest();
        state.throttle_reasons |= monitor_->take_reasons();
        if (set_aside(state.throttle_reasons, aside, 2)) continue;
        for (std::size_t i = 0; i < members.size(); ++i) {
            BenchOutcome& outcome = out[members[i]];
            auto& seen = all[members[i]];
            for (const PairSample& pair : pairs[i])
                outcome.samples.push_back(pair.log_ratio());
            seen.insert(seen.end(), pairs[i].begin(), pairs[i].end());
            outcome.states = {state.reading()};
            outcome.cost = median_cost(seen, true);
            outcome.reference_us = median_cost(seen, false);
            judge_one_load(outcome, look.deviation);
        }
        std::erase_if(members, [&](std::size_t k) { return !in_doubt(out[k].samples, look.deviation); });
        rounds = 1;
    }
    for (BenchOutcome& outcome : out)
        outcome.set_aside = aside;
    return {};
}

Result<std::vector<BenchOutcome>> GpuBench::look_together(std::span<const std::vector<std::byte>> candidates,
                                                          const std::vector<std::byte>& reference,
                                                          double alpha) {
    BenchOutcome fresh;
    fresh.alpha = alpha > 0 ? alpha : kScreenAlpha;
    fresh.pair_deviation = calibration_.test.deviation;
    fresh.loads = 1;
    std::vector<BenchOutcome> out(candidates.size(), fresh);
    std::vector<LoadedKernel> kernels;
    times_.candidates += candidates.size();
    {
        Stopwatch watch(times_.load);
        TRY(refresh_reference(reference, static_cast<int>(candidates.size())));
        for (const std::vector<std::byte>& image : candidates) {
            ++times_.loads;
            auto kernel = TRY(load(image));
            kernels.push_back(std::move(kernel));
        }
    }
    TRY(enqueue_first_launches(kernels));
    TRY(time_together(kernels, out));
    TRY(judge_together(kernels.size()));
    for (BenchOutcome& outcome : out)
        outcome.kind = OutcomeKind::Ok;
    {
        Stopwatch watch(times_.unload);
        kernels.clear();
    }
    times_.launches = timer_->launches();
    return out;
}

}  // namespace cubinlab
