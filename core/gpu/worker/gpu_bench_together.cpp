// SPDX-License-Identifier: GPL-3.0-or-later
// Measures candidates in batches. A screening is one pair: half of its time is the reference sample, and
// checks, loads and the wait cost as much again. A batch between two reference samples shares all of that
// except its own samples. The reference is interpolated between its two samples, so that a drift cancels.
//
// Sets that share their memory (captured launches) are used one after the other: all memory is digested right after each
// checked launch, and restored before the next one.
//
// If a batch faults or stores out of bounds, it is not known which candidate did. Then no candidate gets an
// outcome, and the client requests each one alone on a fresh worker.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/gpu/worker/gpu_bench.h"

namespace cubinlab {
namespace {

// A batch has waves: each candidate of a wave has its own set for its first launch. The next wave reuses the
// sets after their digests are enqueued.
constexpr std::size_t kWaves = 2;
using Slot = GpuDigester::Slot;
constexpr std::array<Slot, kWaves> kFirstOfWave = {0, 1};
constexpr Slot kLastOfFirstWave = 2;

// By candidate: the set of its first launch, never the timed set, and the set of its last launch, another one.
std::size_t first_set_of(std::size_t candidate, std::size_t wave_size) {
    return 1 + candidate % wave_size;
}
std::size_t last_set_of(std::size_t candidate, std::size_t wave_size) {
    return candidate % wave_size;
}

}  // namespace

std::size_t GpuBench::wave_size() const {
    return screen_sets() - 1;
}

std::size_t GpuBench::most_together() const {
    if (shares_memory()) return digester_->on_device() && !workload_.tolerance ? kTogetherAtMost : 1;
    return may_check_with_pairs() ? std::min(kTogetherAtMost, kWaves * wave_size()) : 1;
}

std::size_t GpuBench::together_at_most() const {
    return calibration_.test_plan.launches > 0 && calibration_.refine_plan.launches > 0 ? most_together() : 1;
}

std::vector<DigestRegion> GpuBench::outputs_of(std::size_t first_set, std::size_t sets) const {
    std::vector<DigestRegion> out;
    for (std::size_t set = first_set; set < first_set + sets; ++set)
        for (const ArenaRegion& region : arenas_[set].regions())
            if (region.use == RegionUse::Output) out.push_back(region.memory);
    return out;
}

std::size_t GpuBench::of_wave(std::size_t candidates, std::size_t wave) const {
    return std::min(wave_size(), candidates - wave * wave_size());
}

// On sets that share their memory: a launch on set `set`, and its digests, in a slot of their own.
Status GpuBench::enqueue_checked_launch(const LoadedKernel& kernel, std::size_t set) {
    ++times_.launches;
    TRY(launch_on(kernel, set, settings_.cache));
    TRY(digester_->enqueue(checked_sets_.size(), regions_of(set, 1)));
    checked_sets_.push_back(set);
    return {};
}

Status GpuBench::judge_checked_launches(std::size_t candidates) const {
    for (std::size_t i = 0; i < checked_sets_.size(); ++i) {
        const GateVerdict seen = judge(digester_->seen(i), checked_sets_[i], true);
        if (seen.kind != OutcomeKind::Ok)
            return fail(ErrorCode::Worker, seen.detail, i < candidates ? "first launches" : "after timing");
    }
    return {};
}

Status GpuBench::enqueue_first_launches(std::span<const LoadedKernel> kernels) {
    if (shares_memory()) {
        checked_sets_.clear();
        for (const LoadedKernel& kernel : kernels)
            TRY(enqueue_checked_launch(kernel, next_set()));
        return {};
    }
    for (std::size_t wave = 0; wave * wave_size() < kernels.size(); ++wave) {
        const std::size_t now = of_wave(kernels.size(), wave);
        for (const LoadedKernel& kernel : kernels.subspan(wave * wave_size(), now)) {
            ++times_.launches;
            const auto k = static_cast<std::size_t>(&kernel - kernels.data());
            TRY(launch_on(kernel, first_set_of(k, wave_size()), settings_.cache));
        }
        TRY(digester_->enqueue(kFirstOfWave[wave], outputs_of(first_set_of(0, wave_size()), now)));
    }
    return {};
}

Status GpuBench::enqueue_last_launches(std::span<const LoadedKernel> kernels) {
    if (shares_memory()) {
        checked_sets_.resize(
            kernels.size());  // a round that is repeated replaces the checks of the one before
        for (const LoadedKernel& kernel : kernels)
            for (std::size_t set = 0; set < all_sets(); ++set)
                TRY(enqueue_checked_launch(kernel, set));
        return {};
    }
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        if (k > 0 && k % wave_size() == 0)
            TRY(digester_->enqueue(kLastOfFirstWave, outputs_of(last_set_of(0, wave_size()), wave_size())));
        ++times_.launches;
        TRY(launch_on(kernels[k], last_set_of(k, wave_size()), settings_.cache));
    }
    return digester_->enqueue(kLastSlot, regions_of(0, all_sets()));
}

Status GpuBench::judge_outputs(Slot slot, std::size_t first_set, std::size_t sets, const char* when) const {
    const std::vector<Digest> seen = digester_->seen(slot);
    std::size_t at = 0;
    for (std::size_t set = first_set; set < first_set + sets; ++set) {
        const auto& regions = arenas_[set].regions();
        for (std::size_t i = 0; i < regions.size(); ++i)
            if (regions[i].use == RegionUse::Output && !(seen[at++] == expected_[set][i]))
                return fail(ErrorCode::Worker, fmt::format("input set {}: an output differs", set), when);
    }
    return {};
}

Status GpuBench::judge_together(std::size_t candidates) {
    if (shares_memory()) return judge_checked_launches(candidates);
    for (std::size_t wave = 0; wave * wave_size() < candidates; ++wave)
        TRY(judge_outputs(kFirstOfWave[wave], first_set_of(0, wave_size()), of_wave(candidates, wave),
                          "first launches"));
    if (candidates > wave_size())
        TRY(judge_outputs(kLastOfFirstWave, last_set_of(0, wave_size()), wave_size(), "after timing"));
    const GateVerdict last = judge(digester_->seen(kLastSlot), 0, true);
    if (last.kind != OutcomeKind::Ok) return fail(ErrorCode::Worker, last.detail, "after timing");
    return {};
}

Status GpuBench::time_together(std::span<const LoadedKernel> kernels, const SamplePlan& samples,
                               std::vector<BenchOutcome>& out) {
    Stopwatch watch(times_.timing);
    const SampleShape shape = planned_shape(samples);
    std::vector<std::vector<PairSample>> all(kernels.size());
    std::vector<std::size_t> members(kernels.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    monitor_->take_reasons();
    std::uint32_t aside = 0;
    for (int rounds = samples.pairs; !members.empty();) {
        std::vector<const LoadedKernel*> now;
        for (const std::size_t k : members)
            now.push_back(&kernels[k]);
        auto pairs = TRY(timer_->together(reference_, now, arenas_[kTimedSet], shape, rounds,
                                          [&] { return enqueue_last_launches(kernels); }));
        GpuState state = monitor_->latest();
        state.throttle_reasons |= monitor_->take_reasons();
        if (discard_throttled(state.throttle_reasons, aside, 2)) continue;
        for (std::size_t i = 0; i < members.size(); ++i) {
            BenchOutcome& outcome = out[members[i]];
            auto& seen = all[members[i]];
            for (const PairSample& pair : pairs[i])
                outcome.samples.push_back(pair.log_ratio());
            seen.insert(seen.end(), pairs[i].begin(), pairs[i].end());
            outcome.states = {state.reading()};
            outcome.cost = median_cost(seen, true);
            outcome.reference_us = median_cost(seen, false);
            judge_one_load(outcome, samples.deviation);
        }
        std::erase_if(members, [&](std::size_t k) { return !in_doubt(out[k].samples, samples.deviation); });
        rounds = 1;
    }
    for (BenchOutcome& outcome : out)
        outcome.throttled_blocks = aside;
    return {};
}

Status GpuBench::measure_once(std::span<const std::vector<std::byte>> candidates, const SamplePlan& samples,
                              std::vector<BenchOutcome>& out) {
    std::vector<LoadedKernel> kernels;
    {
        Stopwatch watch(times_.load);
        for (const std::vector<std::byte>& image : candidates) {
            ++times_.loads;
            kernels.push_back(TRY(load(image)));
        }
    }
    TRY(enqueue_first_launches(kernels));
    TRY(time_together(kernels, samples, out));
    TRY(judge_together(kernels.size()));
    Stopwatch watch(times_.unload);
    kernels.clear();
    return {};
}

Result<std::vector<BenchOutcome>> GpuBench::screen_batch(std::span<const std::vector<std::byte>> candidates,
                                                         const std::vector<std::byte>& reference,
                                                         double alpha) {
    BenchOutcome fresh;
    fresh.alpha = alpha > 0 ? alpha : kScreenAlpha;
    fresh.pair_deviation = calibration_.test_plan.deviation;
    fresh.loads = 1;
    std::vector<BenchOutcome> out(candidates.size(), fresh);
    times_.candidates += candidates.size();
    {
        Stopwatch watch(times_.load);
        TRY(refresh_reference(reference, static_cast<int>(candidates.size())));
    }
    for (std::size_t k = 0; k < candidates.size(); ++k)
        out[k].code_hash = code_.hash(candidates[k]);
    TRY(measure_once(candidates, calibration_.test_plan, out));
    for (BenchOutcome& outcome : out)
        outcome.kind = OutcomeKind::Ok;
    times_.launches = timer_->launches();
    return out;
}

Result<std::vector<BenchOutcome>> GpuBench::refine(std::span<const std::vector<std::byte>> candidates,
                                                   const std::vector<std::byte>& reference, double alpha,
                                                   int loads) {
    const SamplePlan& samples = calibration_.refine_plan;
    BenchOutcome fresh;
    fresh.alpha = alpha > 0 ? alpha : kPromoteAlpha;
    fresh.pair_deviation = samples.deviation;
    std::vector<BenchOutcome> out(candidates.size(), fresh);
    times_.candidates += candidates.size();
    TRY(check_all_sets(candidates));
    std::vector<std::vector<std::vector<float>>> by_load(candidates.size());
    std::vector<std::vector<double>> costs(candidates.size()), reference_us(candidates.size());
    for (int load = 0; load < loads; ++load) {
        {
            Stopwatch watch(times_.load);
            reference_uses_ = settings_.reload_every;  // forces a fresh load
            TRY(refresh_reference(reference, static_cast<int>(candidates.size())));
        }
        std::vector<BenchOutcome> now(candidates.size(), fresh);
        TRY(measure_once(candidates, samples, now));
        for (std::size_t k = 0; k < now.size(); ++k) {
            costs[k].push_back(now[k].cost);
            reference_us[k].push_back(now[k].reference_us);
            out[k].states.insert(out[k].states.end(), now[k].states.begin(), now[k].states.end());
            out[k].samples.insert(out[k].samples.end(), now[k].samples.begin(), now[k].samples.end());
            out[k].throttled_blocks += now[k].throttled_blocks;
            by_load[k].push_back(std::move(now[k].samples));
        }
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
        BenchOutcome& outcome = out[k];
        judge_several_loads(outcome, by_load[k], samples.deviation);
        outcome.cost = median(std::move(costs[k]));
        outcome.reference_us = median(std::move(reference_us[k]));
        outcome.code_hash = code_.hash(candidates[k]);
        outcome.loads = static_cast<std::uint32_t>(loads);
        outcome.kind = OutcomeKind::Ok;
    }
    times_.launches = timer_->launches();
    return out;
}

Status GpuBench::check_all_sets(std::span<const std::vector<std::byte>> candidates) {
    for (const std::vector<std::byte>& image : candidates) {
        ++times_.loads;
        const LoadedKernel kernel = TRY(load_fresh(image));
        const GateVerdict verdict = TRY(gate(kernel, 0, all_sets(), all_sets()));
        if (verdict.kind != OutcomeKind::Ok) return fail(ErrorCode::Worker, verdict.detail, "first launches");
    }
    return {};
}

}  // namespace cubinlab
