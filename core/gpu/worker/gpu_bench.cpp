// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace cubinlab {
namespace {

// Errors that the code of a kernel causes while it runs; other errors come from the launch or the driver.
bool is_fault(const std::string& name) {
    static const char* faults[] = {"CUDA_ERROR_ILLEGAL_ADDRESS",
                                   "CUDA_ERROR_LAUNCH_TIMEOUT",
                                   "CUDA_ERROR_ASSERT",
                                   "CUDA_ERROR_HARDWARE_STACK_ERROR",
                                   "CUDA_ERROR_ILLEGAL_INSTRUCTION",
                                   "CUDA_ERROR_MISALIGNED_ADDRESS",
                                   "CUDA_ERROR_INVALID_ADDRESS_SPACE",
                                   "CUDA_ERROR_INVALID_PC",
                                   "CUDA_ERROR_LAUNCH_FAILED",
                                   "CUDA_ERROR_ECC_UNCORRECTABLE",
                                   "CUDA_ERROR_UNKNOWN"};
    return std::any_of(std::begin(faults), std::end(faults),
                       [&](const char* fault) { return name == fault; });
}

void set_failure(BenchOutcome& out, const Error& error, const char* when) {
    out.kind = is_fault(error.where) ? OutcomeKind::Fault : OutcomeKind::Error;
    out.detail = fmt::format("{}: {}", when, error.message());
    out.fatal = true;
}

void append_ratios(std::vector<float>& ratios, const std::vector<PairSample>& pairs) {
    for (const PairSample& pair : pairs)
        ratios.push_back(pair.log_ratio());
}

std::string different_output(std::size_t set, const ArenaRegion& region) {
    return region.param < 0 ? fmt::format("input set {}: the output at {:#x} differs from the original's",
                                          set, region.memory.address)
                            : fmt::format("input set {}: output params[{}] differs from the original's", set,
                                          region.param);
}

}  // namespace

void GpuBench::set_rejected(BenchOutcome& out, const GateVerdict& verdict, const char* when) {
    out.kind = verdict.kind;
    out.detail = fmt::format("{}: {}", when, verdict.detail);
    out.verdict = Verdict::Unclear;
    out.speedup = {};
    out.fatal = true;
}

std::vector<DigestRegion> GpuBench::regions_of(std::size_t first_set, std::size_t sets) const {
    std::vector<DigestRegion> out;
    for (std::size_t set = first_set; set < first_set + sets; ++set)
        for (const ArenaRegion& region : arenas_[set].regions())
            out.push_back(region.memory);
    return out;
}

Result<std::vector<Digest>> GpuBench::digests(std::size_t first_set, std::size_t sets) {
    return digester_->run(regions_of(first_set, sets));
}

GpuBench::GateVerdict GpuBench::judge(const std::vector<Digest>& seen, std::size_t first_set,
                                      bool outputs) const {
    GateVerdict wrong;
    std::size_t at = 0;
    for (std::size_t set = first_set; at < seen.size(); ++set) {
        const auto& regions = arenas_[set].regions();
        for (std::size_t i = 0; i < regions.size(); ++i, ++at) {
            if (seen[at] == expected_[set][i]) continue;
            const ArenaRegion& region = regions[i];
            if (region.use == RegionUse::Guard && captured_)
                return {OutcomeKind::OutOfBoundsStore,
                        fmt::format("input set {}: memory at {:#x} outside the captured regions was written",
                                    set, region.memory.address)};
            if (region.use == RegionUse::Guard)
                return {OutcomeKind::OutOfBoundsStore,
                        region.param < 0
                            ? fmt::format("input set {}: the zone before the first buffer was written", set)
                            : fmt::format("input set {}: the zone after params[{}] was written", set,
                                          region.param)};
            if (region.param < 0 && region.use != RegionUse::Output)
                return {OutcomeKind::OutOfBoundsStore,
                        fmt::format("input set {}: captured memory at {:#x} was changed, but the original "
                                    "does not change it",
                                    set, region.memory.address)};
            if (region.use == RegionUse::Input)
                return {OutcomeKind::OutOfBoundsStore,
                        fmt::format("input set {}: input params[{}] was changed", set, region.param)};
            if (outputs && wrong.kind == OutcomeKind::Ok)
                wrong = {OutcomeKind::WrongResult, different_output(set, region), set};
        }
    }
    return wrong;
}

Result<GpuBench::GateVerdict> GpuBench::gate_tolerance(std::size_t set) {
    std::size_t output = 0;
    for (const ArenaRegion& region : arenas_[set].regions()) {
        if (region.use != RegionUse::Output) continue;
        const Dtype dtype = dtype_of(region);
        const std::vector<std::byte>& expected = outputs_[set][output++];
        auto seen = TRY(region.param < 0 ? arenas_[set].read(device_, region)
                                         : arenas_[set].read(device_, region.param, expected.size()));
        const std::size_t size = size_of(dtype);
        for (std::size_t at = 0; at + size <= expected.size(); at += size) {
            const double a = load_element(dtype, seen.data() + at);
            const double b = load_element(dtype, expected.data() + at);
            const bool same = a == b || (std::isnan(a) && std::isnan(b)) ||
                              std::abs(a - b) <=
                                  workload_.tolerance->absolute + workload_.tolerance->relative * std::abs(b);
            if (!same)
                return GateVerdict{
                    OutcomeKind::WrongResult,
                    fmt::format("input set {}: params[{}] element {} is {}, the original gives {}", set,
                                region.param, at / size, a, b)};
        }
    }
    return GateVerdict{};
}

Result<GpuBench::GateVerdict> GpuBench::gate(const LoadedKernel& kernel, std::size_t first, std::size_t count,
                                             std::size_t check_to) {
    Stopwatch watch(times_.check);
    times_.launches += count;
    // A check after timing covers every set: an out-of-bounds store may hit any memory.
    const std::size_t from = check_to > first + count ? 0 : first;
    Result<GateVerdict> close = GateVerdict{};
    const auto tolerance = [&](std::size_t set) -> Status {
        if (!workload_.tolerance || !close || close->kind != OutcomeKind::Ok) return {};
        close = gate_tolerance(set);
        return {};
    };
    const bool shared = arenas_.front().shares_memory();
    auto seen = TRY(run_sets(kernel, first, count, from, check_to, settings_.cache,
                             shared ? tolerance : std::function<Status(std::size_t)>()));
    const GateVerdict verdict = judge(seen, from, !workload_.tolerance);
    if (verdict.kind != OutcomeKind::Ok || !workload_.tolerance) return verdict;
    for (std::size_t set = first; !shared && set < first + count; ++set)
        TRY(tolerance(set));
    return close;
}

bool GpuBench::may_check_with_pairs() const {
    return digester_->on_device() && !arenas_.front().shares_memory() && !workload_.tolerance &&
           screen_sets() > 1;
}

Status GpuBench::enqueue_first_launch(const LoadedKernel& kernel) {
    ++times_.launches;
    return launch_on(kernel, next_set(), settings_.cache);
}

Status GpuBench::enqueue_last_check(const LoadedKernel& kernel) {
    ++times_.launches;
    TRY(launch_on(kernel, kTimedSet, settings_.cache));
    return digester_->enqueue(kLastSlot, regions_of(0, all_sets()));
}

void GpuBench::judge_screening(BenchOutcome& out) {
    const GateVerdict seen = judge(digester_->seen(kLastSlot), 0, true);
    if (seen.kind == OutcomeKind::Ok) return;
    const bool cold = seen.kind == OutcomeKind::WrongResult && seen.set != kTimedSet;
    set_rejected(out, seen, cold ? "first launches" : "after timing");
}

void GpuBench::screen_at_once(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                              BenchOutcome& out) {
    if (auto status = enqueue_first_launch(kernel); !status)
        return set_failure(out, status.error(), "first launches");
    // Without a sample plan timing may stop after any round; with one the first round is nearly always the last.
    const bool one_round = samples.launches > 0;
    const auto last_check = [&] { return enqueue_last_check(kernel); };
    time_in_one_load(kernel, most_pairs, samples, out, one_round ? last_check : std::function<Status()>());
    if (out.kind != OutcomeKind::Ok) return;
    Stopwatch watch(times_.check);
    if (!one_round) {
        auto status = last_check();
        if (status) status = device_.synchronize();
        if (!status) return set_failure(out, status.error(), "after timing");
    }
    judge_screening(out);
}

Status GpuBench::launch_on(const LoadedKernel& kernel, std::size_t set, Cache cache) {
    TRY(arenas_[set].reset(device_));
    TRY(arenas_[set].restore_symbols(device_, kernel));
    TRY(timer_->prepare(cache, arenas_[set]));
    return launch(device_, kernel, workload_, arenas_[set].params());
}

Result<std::vector<Digest>> GpuBench::run_sets(const LoadedKernel& kernel, std::size_t first,
                                               std::size_t count, std::size_t from, std::size_t to,
                                               Cache cache, const std::function<Status(std::size_t)>& after) {
    const bool shared = arenas_.front().shares_memory();
    std::vector<Digest> out;
    for (std::size_t set = shared ? from : first; set < (shared ? to : first + count); ++set) {
        TRY(launch_on(kernel, set, cache));
        if (!shared) continue;
        auto seen = TRY(digests(set, 1));
        out.insert(out.end(), seen.begin(), seen.end());
        if (after) TRY(after(set));
    }
    if (shared) return out;
    auto seen = digests(from, to - from);
    for (std::size_t set = first; seen && after && set < first + count; ++set)
        TRY(after(set));
    return seen;
}

Result<LoadedKernel> GpuBench::load(std::span<const std::byte> image) {
    auto out = LoadedKernel::load(device_, image, workload_);
    if (out && captured_ && captured_->carve_out >= 0)
        CUBINLAB_CU(device_.api(), function_set_attribute, out->function(), cu::kFuncCarveOut,
                    captured_->carve_out);
    return out;
}

Result<LoadedKernel> GpuBench::load_fresh(const std::vector<std::byte>& image) {
    // Reloading can give the same code address again: a changing number of other modules moves it.
    constexpr std::size_t kMostDecoys = 6;
    if (decoys_.size() >= kMostDecoys || (!decoys_.empty() && (random_() & 1))) {
        std::swap(decoys_[random_() % decoys_.size()], decoys_.back());
        decoys_.pop_back();
    } else {
        auto decoy = load(original_);
        if (!decoy) return decoy;
        decoys_.push_back(std::move(*decoy));
    }
    times_.loads += 1;
    return load(image);
}

Status GpuBench::refresh_reference(const std::vector<std::byte>& image, int users) {
    const bool known = image.size() == reference_image_.size() &&
                       std::memcmp(image.data(), reference_image_.data(), image.size()) == 0;
    if (reference_ && known && reference_uses_ < settings_.reload_every && !reference_doubted_) {
        reference_uses_ += users;
        return {};
    }
    reference_ = LoadedKernel{};
    reference_ = TRY(load_fresh(image));
    reference_uses_ = users;
    reference_doubted_ = false;
    if (known) return {};
    reference_image_ = image;
    auto verdict = TRY(gate(reference_, 0, screen_sets(), screen_sets()));
    if (verdict.kind == OutcomeKind::Ok) return {};
    return fail(ErrorCode::Worker,
                "the reference schedule does not compute what the original does: " + verdict.detail,
                "reference");
}

bool GpuBench::discard_throttled(unsigned long long reasons, std::uint32_t& already, std::uint32_t most) {
    GpuState state;
    state.throttle_reasons = reasons;
    if (!repeats_.may_repeat(state.throttled() && already < most)) return false;
    ++already;
    ++times_.throttled_blocks;
    return true;
}

void GpuBench::judge_one_load(BenchOutcome& out, double pair_deviation) const {
    const Estimate e = estimate(out.samples, pair_deviation);
    const double deviation = std::hypot(pair_deviation, calibration_.load_deviation);
    const Interval interval = pair_interval(e, deviation, out.alpha);
    out.speedup = {e.mean, interval.low, interval.high};
    out.verdict = out.speedup.verdict(settings_.same_within);
}

LoadsVerdict GpuBench::judge_several_loads(BenchOutcome& out, std::span<const std::vector<float>> by_load,
                                           double pair_deviation) const {
    const LoadsVerdict judged = judge_loads(by_load, pair_deviation, calibration_.load_deviation, out.alpha);
    out.speedup = judged.speedup();
    out.verdict = out.speedup.verdict(settings_.same_within);
    return judged;
}

SampleShape GpuBench::planned_shape(const SamplePlan& samples) const {
    const SampleShape rung =
        timer_->shape_for(calibration_.original_us,
                          std::max(settings_.screen_us, 100 * calibration_.timer_step_us), settings_.cache);
    return GpuTimer::for_plan(rung, samples.launches, calibration_.original_us);
}

void GpuBench::time_in_one_load(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                                BenchOutcome& out, const std::function<Status()>& behind) {
    Stopwatch watch(times_.timing);
    monitor_->take_reasons();
    const GpuArena& arena = arenas_[kTimedSet];
    SampleShape shape =
        timer_->shape_for(calibration_.original_us,
                          std::max(settings_.screen_us, 100 * calibration_.timer_step_us), settings_.cache);
    double pair_deviation = calibration_.pair_deviation;
    if (samples.launches > 0) {
        shape = planned_shape(samples);
        most_pairs = samples.pairs;
        out.pair_deviation = pair_deviation = samples.deviation;
    }
    std::vector<PairSample> all;
    GpuState state;
    bool doubt = false;
    while (static_cast<int>(all.size()) < most_pairs || doubt) {
        auto pairs = timer_->pairs(reference_, kernel, arena, shape,
                                   std::clamp(most_pairs - static_cast<int>(all.size()), 1, 2), behind);
        if (!pairs) return set_failure(out, pairs.error(), "first launches and timing");
        state = monitor_->latest();
        // No separate reading: the last state of the monitor is assumed to hold until its next reading.
        state.throttle_reasons |= monitor_->take_reasons();
        if (discard_throttled(state.throttle_reasons, out.throttled_blocks, 2)) continue;
        append_ratios(out.samples, *pairs);
        all.insert(all.end(), pairs->begin(), pairs->end());
        judge_one_load(out, pair_deviation);
        doubt = samples.launches > 0 && in_doubt(out.samples, pair_deviation);
        if (out.verdict != Verdict::Unclear && !doubt) break;
    }
    // The candidate is fast or this instance of the reference is slow: the next candidate gets another
    // instance. Not with a sample plan: there most candidates are known to be faster than the reference.
    reference_doubted_ = out.verdict == Verdict::Faster && samples.launches == 0;
    out.states = {state.reading()};
    out.cost = median_cost(all, true);
    out.reference_us = median_cost(all, false);
    out.loads = 1;
    out.kind = OutcomeKind::Ok;
}

double load_radius(const BenchSettings& settings, const Calibration& calibration, Effort effort) {
    const bool confirm = effort == Effort::Confirm;
    const int loads = confirm ? settings.confirm_loads : kPromoteLoads;
    const double pairs =
        confirm ? settings.confirm_pairs : std::max(1, settings.promote_pairs / kPromoteLoads);
    const double deviation =
        std::hypot(calibration.pair_deviation / std::sqrt(pairs), calibration.load_deviation);
    return mixture_radius(static_cast<std::size_t>(loads), deviation,
                          confirm ? kConfirmAlpha : kPromoteAlpha);
}

void GpuBench::time_over_loads(const std::vector<std::byte>& candidate,
                               const std::vector<std::byte>& reference, const LoadPlan& plan,
                               BenchOutcome& out, std::vector<std::vector<float>>& by_load,
                               std::vector<double>& reference_us,
                               const std::function<void(int, int)>& on_load) {
    Stopwatch watch(times_.timing);
    SampleShape shape =
        timer_->shape_for(calibration_.original_us,
                          std::max(settings_.promote_us, 100 * calibration_.timer_step_us), settings_.cache);
    double pair_deviation = calibration_.pair_deviation;
    if (plan.samples.launches > 0) {
        shape = GpuTimer::for_plan(shape, plan.samples.launches, calibration_.original_us);
        out.pair_deviation = pair_deviation = plan.samples.deviation;
    }
    if (plan.study.launches > 0) {
        shape = GpuTimer::with_launches(shape, plan.study.launches, calibration_.original_us);
        shape.extra_candidate = std::max(0, plan.study.extra_launches);
        shape.extra_reference = std::max(0, -plan.study.extra_launches);
    }
    const auto loads = static_cast<std::size_t>(plan.loads);
    const double known =
        std::hypot(pair_deviation / std::sqrt(static_cast<double>(plan.pairs)), calibration_.load_deviation);
    out.alpha = plan.alpha;
    std::vector<double> candidate_us;
    while (by_load.size() < loads) {
        const bool reference_first = (random_() & 1) != 0;
        auto first = load_fresh(reference_first ? reference : candidate);
        if (!first) return set_failure(out, first.error(), "while being loaded");
        auto second = load_fresh(reference_first ? candidate : reference);
        if (!second) return set_failure(out, second.error(), "while being loaded");
        const LoadedKernel& a = reference_first ? *first : *second;
        const LoadedKernel& b = reference_first ? *second : *first;
        const std::size_t set = random_() % arenas_.size();  // other addresses and data in each load
        if (by_load.empty() && plan.warm_up.count() > 0)
            if (auto warm = untimed_pairs(a, b, set, shape, plan.warm_up); !warm)
                return set_failure(out, warm.error(), "while warming up");
        monitor_->take_reasons();
        auto samples = timer_->pairs(a, b, arenas_[set], shape, plan.pairs);
        if (!samples) return set_failure(out, samples.error(), "while being timed");
        // The timed instance, now warm, must still give correct results.
        auto verdict = gate(b, set, 1, set + 1);
        if (!verdict) return set_failure(out, verdict.error(), "after timing");
        if (verdict->kind != OutcomeKind::Ok) return set_rejected(out, *verdict, "after timing");
        // The monitor may have read before or after this load; add a reading of the load itself.
        GpuState state = monitor_->latest();
        state.throttle_reasons = monitor_->take_reasons() | nvml_.throttle_reasons();
        if (discard_throttled(state.throttle_reasons, out.throttled_blocks,
                              static_cast<std::uint32_t>(plan.loads)))
            continue;
        out.states.push_back(state.reading());
        std::vector<float> ratios;
        append_ratios(ratios, *samples);
        candidate_us.push_back(median_cost(*samples, true));
        reference_us.push_back(median_cost(*samples, false));
        out.samples.insert(out.samples.end(), ratios.begin(), ratios.end());
        by_load.push_back(std::move(ratios));
        const LoadsVerdict judged = judge_several_loads(out, by_load, pair_deviation);
        if (on_load) on_load(static_cast<int>(by_load.size()), plan.loads);
        if (plan.may_stop && by_load.size() >= 2 && out.verdict != Verdict::Unclear) break;
        if (plan.only_faster && static_cast<int>(by_load.size()) >= plan.futile_from &&
            cannot_become_faster(judged.loads, loads, known, plan.alpha, settings_.same_within))
            break;
    }
    out.loads = static_cast<std::uint32_t>(by_load.size());
    out.cost = median(candidate_us);
    out.reference_us = median(reference_us);
    out.kind = OutcomeKind::Ok;
    if (out.throttled_blocks > 0)
        out.detail = fmt::format("{} loads set aside because the GPU was throttled", out.throttled_blocks);
}

double GpuBench::median_cost(const std::vector<PairSample>& pairs, bool candidate) {
    std::vector<double> values;
    for (const PairSample& pair : pairs)
        values.push_back(candidate ? pair.candidate_us : pair.reference_us);
    return median(std::move(values));
}

std::size_t GpuBench::next_set() {
    const std::size_t others = screen_sets() - 1;
    return others == 0 ? kTimedSet : kTimedSet + 1 + screenings_++ % others;
}

BenchOutcome GpuBench::evaluate(const std::vector<std::byte>& candidate,
                                const std::vector<std::byte>& reference, Effort effort, double alpha,
                                const Sampling& sampling) {
    BenchOutcome out;
    out.alpha = alpha > 0                  ? alpha
                : effort == Effort::Screen ? kScreenAlpha
                : effort == Effort::Refine ? kPromoteAlpha
                                           : kConfirmAlpha;
    ++times_.candidates;
    {
        Stopwatch watch(times_.load);
        if (auto status = refresh_reference(reference); !status) {
            set_failure(out, status.error(), "reference");
            out.kind = OutcomeKind::Error;
            return out;
        }
    }
    Result<LoadedKernel> kernel = LoadedKernel{};
    {
        Stopwatch watch(times_.load);
        ++times_.loads;
        kernel = load(candidate);
    }
    if (!kernel) {
        set_failure(out, kernel.error(), "while being loaded");
        return out;
    }
    out.code_hash = code_.hash(candidate);
    auto settle = [&](const Result<GateVerdict>& verdict, const char* when) {
        if (!verdict) {
            set_failure(out, verdict.error(), when);
        } else if (verdict->kind != OutcomeKind::Ok) {
            set_rejected(out, *verdict, when);
        }
        return verdict && verdict->kind == OutcomeKind::Ok;
    };
    const bool screen = effort == Effort::Screen;
    const SamplePlan samples = screen && sampling.by_noise ? calibration_.test_plan : SamplePlan{};
    const int pairs = sampling.pairs > 0 ? sampling.pairs : settings_.screen_pairs;
    const bool at_once = screen && may_check_with_pairs();
    if (!at_once) {
        const std::size_t first = screen ? next_set() : 0, sets = screen ? 1 : all_sets();
        if (!settle(gate(*kernel, first, sets, first + sets), "first launches")) return out;
    }
    if (at_once) {
        screen_at_once(*kernel, pairs, samples, out);
    } else if (screen) {
        time_in_one_load(*kernel, pairs, samples, out);
    } else {
        const bool confirm = effort == Effort::Confirm;
        LoadPlan plan;
        plan.loads =
            confirm ? std::max(settings_.confirm_loads, settings_.confirm_most_loads) : kPromoteLoads;
        plan.pairs = confirm ? settings_.confirm_pairs : std::max(1, settings_.promote_pairs / kPromoteLoads);
        plan.alpha = out.alpha;
        plan.may_stop = true;
        plan.only_faster = true;
        plan.futile_from = confirm ? settings_.confirm_loads : 1;
        if (!confirm && sampling.loads > 0) {
            plan.loads = sampling.loads;
            plan.may_stop = plan.only_faster = false;
        }
        if (!confirm && sampling.pairs > 0) plan.pairs = sampling.pairs;
        if (!confirm && sampling.by_noise && calibration_.refine_plan.launches > 0) {
            plan.samples = calibration_.refine_plan;
            plan.pairs = plan.samples.pairs;
        }
        std::vector<std::vector<float>> by_load;
        std::vector<double> reference_us;
        time_over_loads(candidate, reference, plan, out, by_load, reference_us, {});
    }
    if (out.kind != OutcomeKind::Ok) return out;
    if (!at_once) settle(gate(*kernel, kTimedSet, 1, all_sets()), "after timing");
    if (!out.fatal) {
        Stopwatch watch(times_.unload);
        *kernel = LoadedKernel{};
    }
    times_.launches = timer_->launches();
    return out;
}

BenchComparison GpuBench::compare(const CompareRequest& request,
                                  const std::function<void(int, int)>& on_load) {
    BenchComparison out;
    const std::vector<std::byte>&a = request.a, &b = request.b;
    const StudyShape& study = request.study;
    if (study.extra_launches != 0 && (study.launches == 0 || settings_.cache != Cache::Hot)) {
        out.outcome.detail = "extra launches need a number of launches and a hot cache";
        return out;
    }
    out.details.input_sets = static_cast<int>(all_sets());
    auto check = [&](const std::vector<std::byte>& image, const char* when) {
        auto kernel = load_fresh(image);
        if (!kernel) {
            set_failure(out.outcome, kernel.error(), when);
            return false;
        }
        auto verdict = gate(*kernel, 0, all_sets(), all_sets());
        if (!verdict) {
            set_failure(out.outcome, verdict.error(), when);
        } else if (verdict->kind != OutcomeKind::Ok) {
            set_rejected(out.outcome, *verdict, when);
        }
        return verdict && verdict->kind == OutcomeKind::Ok;
    };
    if (request.seed != 0) {
        random_.seed(request.seed);
        timer_->reseed(mix64(request.seed));
    }
    if (!check(a, "first launches of A")) return out;
    out.outcome.code_hash = code_.hash(b);
    if (!check(b, "first launches of B")) return out;
    std::vector<double> reference_us;
    LoadPlan plan;
    plan.loads = request.loads;
    plan.alpha = request.alpha > 0 ? request.alpha : kConfirmAlpha;
    plan.pairs = study.pairs > 0 ? study.pairs : settings_.confirm_pairs;
    plan.study = study;
    plan.warm_up = std::chrono::milliseconds(request.warm_up_ms);
    time_over_loads(b, a, plan, out.outcome, out.details.by_load, reference_us, on_load);
    if (out.outcome.kind != OutcomeKind::Ok) return out;
    if (request.energy_ms > 0) out.details.energy = compare_energy(a, b, request.energy_ms);
    out.outcome.reference_energy_mj = out.details.energy.a_mj;
    out.outcome.energy_mj = out.details.energy.b_mj;
    const BenchOutcome timed = out.outcome;
    out.details.outputs_equal = check(b, "after timing");
    if (out.details.outputs_equal) out.outcome = timed;
    return out;
}

}  // namespace cubinlab
