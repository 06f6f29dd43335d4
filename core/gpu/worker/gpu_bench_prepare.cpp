// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that a worker does once: inputs, expected digests and repeatability of the original, calibration.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/gpu/protocol/inputs.h"
#include "core/gpu/worker/gpu_bench.h"

namespace cubinlab {
namespace {

constexpr int kCalibrationLoads = 6;
constexpr int kCalibrationPairs = 8;
constexpr int kTogetherLoads = 3;

// Warm-up: windows of 1/40 of the longest time (100 ms), until the medians of the last four differ by at most
// 0.1 % (or two timer steps). An idle H200 needs about a second; meanwhile the time of the original rises by
// 0.8 % and the effect of a padded schedule changes from -3.16 to -3.33 %, which pairing does not cancel.
constexpr int kWindowsAtMost = 40;
constexpr std::size_t kSteadyWindows = 4;
constexpr double kSteadyWithin = 0.001;

// Sample lengths to try: that of the effort, twice and four times that, while a sample takes at most a
// millisecond.
constexpr int kLongest = 4;
constexpr double kLongestUs = 1000;
constexpr int kCostRounds = 3;
// Time to make and send a candidate, on the host of an H200 (resources/docs/evidence/screening-rate.md).
constexpr double kElsewhereUs = 200;
// Deviations that more pairs do not reduce, log (H200): of a test in a fit of many, of a refinement by its loads.
constexpr double kTestRest = 0.0025, kRefineRest = 0.0008;

// Variance of one pair within a load.
double variance_within(const std::vector<std::vector<float>>& by_load) {
    double sum = 0;
    for (const std::vector<float>& pairs : by_load) {
        const double deviation = estimate(pairs, 0).deviation;
        sum += deviation * deviation;
    }
    return sum / static_cast<double>(by_load.size());
}

// Largest difference between the outputs of two runs, for the suggested tolerance.
double largest_difference(Dtype dtype, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    double most = 0;
    for (std::size_t at = 0; at + size_of(dtype) <= a.size(); at += size_of(dtype)) {
        const double difference =
            std::abs(load_element(dtype, a.data() + at) - load_element(dtype, b.data() + at));
        if (std::isfinite(difference)) most = std::max(most, difference);
    }
    return most;
}

}  // namespace

GpuBench::GpuBench(GpuDevice& device, Workload workload, std::vector<std::byte> original,
                   BenchSettings settings)
    : device_(device),
      workload_(std::move(workload)),
      original_(std::move(original)),
      settings_(settings),
      code_(workload_.kernel),
      states_(measured_states(settings.cache)),
      random_(mix64(settings.seed ^ 0x6c6f616473ull)) {
    settings_.cache = states_.front();
}

bool GpuBench::select(Cache state) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (states_[i] != state) continue;
        settings_.cache = state;
        calibration_ = calibrations_[i];
        return true;
    }
    return false;
}

Result<std::unique_ptr<GpuBench>> GpuBench::prepare(GpuDevice& device, Workload workload,
                                                    std::vector<std::byte> original, InputFiles files,
                                                    BenchSettings settings, std::vector<Calibration> known,
                                                    const CapturedSpace* space) {
    std::unique_ptr<GpuBench> out(new GpuBench(device, std::move(workload), std::move(original), settings));
    if (space) out->captured_ = CapturedLaunch::of(out->workload_);
    out->digester_ = TRY(GpuDigester::create(device));
    out->timer_ = std::make_unique<GpuTimer>(device, out->workload_, mix64(settings.seed ^ 0x7061697273ull));
    out->nvml_ = Nvml::open(device.facts().pci);
    out->monitor_ = std::make_unique<GpuMonitor>(out->nvml_);
    StartTimes& seconds = out->start_times_;
    if (!known.empty() && known.size() != out->states_.size())
        return fail(ErrorCode::Worker, "not every cache state has its calibration", "protocol");
    {
        Stopwatch watch(seconds.memory);
        TRY(out->make_arenas(files, !known.empty(), space));
    }
    {
        Stopwatch watch(seconds.check);
        TRY(out->compute_expected());
        // A replacement takes over the calibration and runs the original once; the client compares the result
        // with that of the first worker (BenchFacts::expected).
        if (!known.empty()) out->settings_.repeat_original = 1;
        TRY(out->check_repeatable());
    }
    out->calibrations_ = std::move(known);
    {
        Stopwatch watch(seconds.calibrate);
        if (out->calibrations_.empty()) TRY(out->calibrate_all());
    }
    out->select(out->states_.front());
    const DeviceFacts& d = device.facts();
    BenchFacts& f = out->facts_;
    const std::string driver = out->nvml_.driver_version();
    f.device = d.name;
    f.driver = driver.empty() ? d.driver : fmt::format("{} ({})", driver, d.driver);
    f.uuid = d.uuid;
    f.pci = d.pci;
    f.sm = d.sm;
    f.multiprocessors = d.multiprocessors;
    f.l2_bytes = d.l2_bytes;
    f.clock_khz = d.clock_khz;
    f.memory_clock_khz = d.memory_clock_khz;
    f.digest_note = out->digester_->note();
    // Only of the first set: the number of sets that fit may differ between workers.
    f.expected = hash_bytes(out->expected_[0].data(), out->expected_[0].size() * sizeof(Digest)).hex();
    f.arena_bytes = space ? space->sets().front().bytes() : GpuArena::bytes_needed(out->workload_);
    const Cache first = out->states_.front();
    f.cache_state = first != Cache::Hot ? cache_meaning(first)
                    : f.arena_bytes > static_cast<std::uint64_t>(std::max(0, d.l2_bytes))
                        ? "repeated launches; the buffers are larger than L2, so they are not all in it"
                        : "hot: repeated launches on buffers that fit in L2";
    const GpuState state = out->nvml_.read();
    if (state.temperature_c) f.temperature_c = static_cast<int>(*state.temperature_c);
    if (state.power_mw) f.power_w = static_cast<int>(*state.power_mw / 1000);
    if (state.sm_clock_mhz) f.sm_clock_mhz = static_cast<int>(*state.sm_clock_mhz);
    return out;
}

std::size_t GpuBench::screen_sets() const {
    return std::min(arenas_.size(), static_cast<std::size_t>(std::max(1, settings_.input_sets)));
}

Status GpuBench::make_captured_arenas(const CapturedSpace& space) {
    for (std::size_t set = 0; set < space.sets().size(); ++set) {
        auto arena = TRY(GpuArena::create_captured(device_, workload_, *captured_, space, set));
        arenas_.push_back(std::move(arena));
    }
    for (std::size_t set = 0; set < arenas_.size(); ++set) {
        TRY(arenas_[set].reset(device_));
        auto seen = TRY(digests(set, 1));
        expected_.push_back(std::move(seen));
    }
    facts_.input_sets = static_cast<int>(screen_sets());
    facts_.extra_sets = static_cast<int>(arenas_.size() - screen_sets());
    return {};
}

Status GpuBench::make_arenas(const InputFiles& files, bool replacement, const CapturedSpace* space) {
    if (space) return make_captured_arenas(*space);
    const std::size_t each = GpuArena::bytes_needed(workload_);
    const std::size_t wanted = static_cast<std::size_t>(std::clamp(settings_.input_sets, 1, 64) +
                                                        std::clamp(settings_.extra_sets, 0, 64));
    auto free_bytes = device_.free_memory();
    std::size_t fit = 0;
    // The driver may not have freed the memory of the previous worker yet.
    for (int wait = 0; free_bytes; ++wait) {
        fit = *free_bytes / 10 * 6 / std::max<std::size_t>(each, 1);
        if (!replacement || fit >= wanted || wait >= 20) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        free_bytes = device_.free_memory();
    }
    if (!free_bytes) return fail(free_bytes.error());
    if (fit == 0)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the workload's buffers need {} MiB, the GPU has {} MiB free", each >> 20,
                                *free_bytes >> 20),
                    "workload");
    const std::size_t sets = std::min(wanted, fit);
    for (std::size_t set = 0; set < sets; ++set) {
        auto arena = TRY(GpuArena::create(device_, workload_, files, settings_.seed, static_cast<int>(set)));
        arenas_.push_back(std::move(arena));
    }
    facts_.input_sets = static_cast<int>(screen_sets());
    facts_.extra_sets = static_cast<int>(sets - screen_sets());
    // Expected guards and inputs: read before any code of the workload runs.
    for (std::size_t set = 0; set < sets; ++set) {
        auto seen = TRY(digests(set, 1));
        expected_.push_back(std::move(seen));
    }
    return {};
}

Status GpuBench::compute_expected() {
    auto kernel = TRY(load(original_));
    auto seen = run_sets(kernel, 0, arenas_.size(), 0, arenas_.size(), Cache::Hot);
    if (!seen) {
        Error error = seen.error();
        error.what = "the original kernel fails with this workload: " + error.what;
        return fail(std::move(error));
    }
    TRY(check_replay(*seen));
    const GateVerdict verdict = judge(*seen, 0, false);
    if (verdict.kind != OutcomeKind::Ok)
        return fail(ErrorCode::BadInput,
                    "the original kernel itself writes where the workload says it does not (" +
                        verdict.detail +
                        "); check the shapes, and mark buffers that it writes \"output\" or \"inout\"",
                    "workload");
    std::size_t at = 0;
    for (auto& set : expected_)
        for (Digest& digest : set)
            digest = (*seen)[at++];
    if (captured_) return check_repeated_launch(kernel);
    // An output that is the same for all inputs is also right in many wrong candidates.
    const auto& regions = arenas_[0].regions();
    for (std::size_t i = 0; i < regions.size() && expected_.size() > 1; ++i) {
        if (regions[i].use != RegionUse::Output) continue;
        bool same = true;
        for (const auto& set : expected_)
            same = same && set[i] == expected_[0][i];
        if (same)
            facts_.warning += fmt::format(
                "{}output params[{}] is the same on all {} input sets, so a wrong "
                "candidate may seem right; give the inputs a random init",
                facts_.warning.empty() ? "" : "; ", regions[i].param, expected_.size());
    }
    return {};
}

Status GpuBench::check_replay(const std::vector<Digest>& seen) {
    std::size_t at = 0;
    for (std::size_t set = 0; set < arenas_.size(); ++set) {
        const auto& after = arenas_[set].captured_after();
        const auto& regions = arenas_[set].regions();
        bool changed = after.empty();
        for (std::size_t i = 0; i < after.size(); ++i) {
            const Digest& now = seen[at + i];
            changed = changed || regions[i].use == RegionUse::Output;
            if (regions[i].use == RegionUse::Guard || now == after[i]) continue;
            if (workload_.tolerance && regions[i].use == RegionUse::Output) continue;
            return fail(
                ErrorCode::BadInput,
                fmt::format(
                    "the replayed launch does not leave in memory what the program's own did (set {}, "
                    "within {} bytes at {:#x}): another stream wrote there, the kernel reads what was "
                    "not captured, or its results vary from run to run (then capture with --tolerance)",
                    set, regions[i].memory.words * 8, regions[i].memory.address),
                "captured");
        }
        if (!changed)
            return fail(ErrorCode::BadInput,
                        "the captured launch changed nothing in memory, so a wrong result could not be "
                        "detected; capture "
                        "another launch (--launch N)",
                        "captured");
        at += regions.size();
    }
    return {};
}

Status GpuBench::check_repeated_launch(const LoadedKernel& kernel) {
    const std::size_t last = arenas_.size() - 1;
    TRY(launch(device_, kernel, workload_, arenas_[last].params()));
    auto seen = TRY(digests(last, 1));
    timer_->restore_each(seen != expected_[last]);
    return {};
}

Result<std::vector<std::vector<std::byte>>> GpuBench::read_outputs(std::size_t set) {
    std::vector<std::vector<std::byte>> out;
    for (const ArenaRegion& region : arenas_[set].regions()) {
        if (region.use != RegionUse::Output) continue;
        auto bytes = TRY(captured_ ? arenas_[set].read(device_, region)
                                   : arenas_[set].read(device_, region.param, static_cast<std::size_t>(-1)));
        out.push_back(std::move(bytes));
    }
    return out;
}

Dtype GpuBench::dtype_of(const ArenaRegion& region) const {
    if (region.param < 0) return captured_ ? captured_->dtype : Dtype::F32;
    return std::get<BufferParam>(workload_.params[static_cast<std::size_t>(region.param)]).dtype;
}

Status GpuBench::check_repeatable() {
    outputs_.resize(arenas_.size());
    const auto keep = [&](std::size_t set, std::vector<std::vector<std::byte>>& into) -> Status {
        into = TRY(read_outputs(set));
        return {};
    };
    std::vector<std::vector<std::byte>> first;
    if (arenas_.front().shares_memory()) {
        auto kernel = TRY(load(original_));
        auto seen = run_sets(kernel, 0, arenas_.size(), 0, arenas_.size(), Cache::Hot, [&](std::size_t set) {
            return keep(set, workload_.tolerance ? outputs_[set] : first);
        });
        if (!seen) return fail(seen.error());
    } else if (workload_.tolerance) {
        for (std::size_t set = 0; set < arenas_.size(); ++set)
            TRY(keep(set, outputs_[set]));
    } else if (auto status = keep(0, first); !status) {
        return status;
    }
    for (int run = 1; run < settings_.repeat_original; ++run) {
        auto kernel = TRY(load(original_));
        std::vector<std::vector<std::byte>> second;
        const std::size_t compared = arenas_.front().shares_memory() ? arenas_.size() - 1 : 0;
        auto seen =
            TRY(run_sets(kernel, 0, arenas_.size(), 0, arenas_.size(), Cache::Hot,
                         [&](std::size_t set) { return set == compared ? keep(set, second) : Status{}; }));
        if (judge(seen, 0, true).kind == OutcomeKind::Ok) continue;
        calibration_.deterministic = false;
        if (workload_.tolerance) continue;
        double most = 0;
        std::size_t output = 0;
        for (const ArenaRegion& region : arenas_[compared].regions())
            if (region.use == RegionUse::Output) {
                most = std::max(most, largest_difference(dtype_of(region), first[output], second[output]));
                ++output;
            }
        return fail(
            ErrorCode::BadInput,
            fmt::format(
                "the original gives different outputs from run to run (largest difference seen on set {}: "
                "{:.3g}), so a "
                "bitwise check would refuse everything; give the workload \"check\": {{\"tolerance\": "
                "{{\"absolute\": {:.3g}, \"relative\": 0}}}}",
                compared, most, most * 4),
            "check");
    }
    return {};
}

Result<GpuBench::WarmUpWindow> GpuBench::untimed_pairs(const LoadedKernel& a, const LoadedKernel& b,
                                                       std::size_t set, const SampleShape& shape,
                                                       std::chrono::microseconds time) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<double> times;
    while (times.empty() || std::chrono::steady_clock::now() - start < time) {
        auto pairs = TRY(timer_->pairs(a, b, arenas_[set], shape, shape.batch));
        for (const PairSample& pair : pairs)
            times.push_back(pair.reference_us);
        device_.heartbeat().progress.fetch_add(1);
    }
    std::vector<float> scatter(times.begin(), times.end());
    constexpr double kOfMedian = 1.25;  // times the standard error of the mean
    const double error =
        kOfMedian * estimate(scatter, 0).deviation / std::sqrt(static_cast<double>(times.size()));
    return WarmUpWindow{median(std::move(times)), times.size() > 1 ? error : 0};
}

// Runs the same pattern of launches as the measurement, since power and clocks depend on it. Where launches vary by
// themselves, as with a cold cache, windows differ by their scatter: that is no sign of a GPU that is getting warm.
Status GpuBench::warm_up(const LoadedKernel& kernel, const SampleShape& shape, bool warm) {
    if (settings_.warm_up_ms <= 0) return {};
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::chrono::microseconds most(
        std::chrono::milliseconds(std::clamp(settings_.warm_up_ms, 0, 60000)));
    constexpr double kErrors = 4;  // between the largest and the smallest of four medians
    const auto least = warm ? std::chrono::microseconds(0) : most / 4;
    std::vector<double> windows, errors;
    const auto steady = [&] {
        if (windows.size() < kSteadyWindows) return false;
        const auto last = std::span(windows).last(kSteadyWindows);
        const auto [low, high] = std::minmax_element(last.begin(), last.end());
        const double scatter = *std::max_element(errors.end() - kSteadyWindows, errors.end());
        return *high - *low <= std::max({*high * kSteadyWithin,
                                         2 * calibration_.timer_step_us / shape.launches, kErrors * scatter});
    };
    bool settled = false;
    do {
        auto window = TRY(untimed_pairs(kernel, kernel, 0, shape, most / kWindowsAtMost));
        windows.push_back(window.median);
        errors.push_back(window.error);
        settled = steady();
    } while (Clock::now() - start < (settled ? least : most));
    facts_.warm_up_ms +=
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());
    facts_.settled = facts_.settled && settled;
    if (!settled)
        facts_.warning += fmt::format(
            "{}the original's time was not steady after {:.1f} s of warm-up ({:.2f} to {:.2f} us): is "
            "another "
            "program using this GPU?",
            facts_.warning.empty() ? "" : "; ", facts_.warm_up_ms / 1000.0,
            *std::min_element(windows.end() - kSteadyWindows, windows.end()),
            *std::max_element(windows.end() - kSteadyWindows, windows.end()));
    return {};
}

Status GpuBench::calibrate_all() {
    const Calibration uncalibrated = calibration_;
    for (const Cache state : states_) {
        settings_.cache = state;
        calibration_ = uncalibrated;
        TRY(calibrate(!calibrations_.empty()));
        calibrations_.push_back(calibration_);
    }
    return {};
}

Status GpuBench::calibrate(bool warm) {
    auto step = TRY(timer_->timer_step_us());
    calibration_.timer_step_us = step;
    auto kernel = TRY(load(original_));
    auto once = TRY(timer_->single_us(kernel, arenas_[0], 1));
    // About 50 ms, so that the shape is not chosen at the clocks of an idle GPU.
    auto cost = TRY(timer_->single_us(
        kernel, arenas_[0], static_cast<int>(std::clamp(50000.0 / std::max(once, 1.0), 3.0, 3000.0))));
    calibration_.original_us = cost;
    const SampleShape shape =
        timer_->shape_for(cost, std::max(settings_.screen_us, 100 * step), settings_.cache);
    TRY(warm_up(kernel, shape, warm));
    std::vector<TriedLength> tried = lengths_from(shape);
    for (std::size_t load = 0; load < kCalibrationLoads; ++load)
        TRY(try_load(load, tried));
    // One disturbed load of six can hide every gain of a run: repeat an odd load once and use the repetition.
    if (const auto odd = odd_load(tried.front().by_load)) {
        TRY(try_load(*odd, tried));
        for (TriedLength& length : tried) {
            length.by_load[*odd] = std::move(length.by_load.back());
            length.by_load.pop_back();
            length.seconds *= static_cast<double>(kCalibrationLoads) / (kCalibrationLoads + 1);
        }
    }
    const TriedLength& rung = tried.front();
    const double within = variance_within(rung.by_load);
    std::vector<float> means;
    for (const std::vector<float>& ratios : rung.by_load)
        means.push_back(static_cast<float>(estimate(ratios, 0).mean));
    calibration_.original_us = median(rung.costs);
    calibration_.pair_deviation = std::max(std::sqrt(within), 1e-5);
    const Estimate between = estimate(means, 1e9);
    calibration_.load_deviation =
        std::sqrt(std::max(0.0, between.deviation * between.deviation - within / kCalibrationPairs));
    int false_verdicts = 0;
    for (const auto& ratios : rung.by_load) {
        const Estimate e = estimate(std::span(ratios).first(static_cast<std::size_t>(
                                        std::min(settings_.screen_pairs, kCalibrationPairs))),
                                    calibration_.pair_deviation);
        const Interval interval = pair_interval(e, calibration_.pair_deviation, kScreenAlpha);
        const Verdict verdict = Speedup{e.mean, interval.low, interval.high}.verdict(settings_.same_within);
        false_verdicts += verdict == Verdict::Faster || verdict == Verdict::Slower;
    }
    calibration_.false_verdicts = static_cast<double>(false_verdicts) / kCalibrationLoads;
    calibration_.detectable =
        settings_.same_within + 2 * load_radius(settings_, calibration_, Effort::Refine);
    return calibrate_plans(tried);
}

Status GpuBench::try_load(std::size_t number, std::vector<TriedLength>& lengths) {
    auto a = TRY(load_fresh(original_));
    auto b = TRY(load_fresh(original_));
    for (TriedLength& length : lengths)
        TRY(try_length(a, b, number % screen_sets(), length));
    return {};
}

Status GpuBench::try_length(const LoadedKernel& a, const LoadedKernel& b, std::size_t set,
                            TriedLength& length) {
    const auto start = std::chrono::steady_clock::now();
    auto pairs = TRY(timer_->pairs(a, b, arenas_[set], length.shape, kCalibrationPairs));
    length.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    length.by_load.emplace_back();
    for (const PairSample& pair : pairs) {
        length.by_load.back().push_back(pair.log_ratio());
        length.costs.push_back(pair.reference_us);
        length.costs.push_back(pair.candidate_us);
    }
    device_.heartbeat().progress.fetch_add(1);
    return {};
}

// If each launch is timed alone, a longer sample is the same as more samples.
std::vector<GpuBench::TriedLength> GpuBench::lengths_from(const SampleShape& shape) const {
    std::vector<TriedLength> out = {{shape}};
    for (int times = 2; times <= kLongest && shape.cache == Cache::Hot && !shape.restore_each; times *= 2) {
        const int launches = shape.launches * times;
        if (launches * calibration_.original_us > kLongestUs) break;
        out.push_back({GpuTimer::with_launches(shape, launches, calibration_.original_us)});
    }
    return out;
}

Result<std::vector<LoadedKernel>> GpuBench::load_together() {
    std::vector<LoadedKernel> out;
    while (out.size() < most_together()) {
        auto kernel = TRY(load(original_));
        out.push_back(std::move(kernel));
    }
    return out;
}

Result<GpuBench::PlanCosts> GpuBench::plan_costs() {
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    std::vector<double> tests, refined;
    const auto together = static_cast<double>(most_together());
    for (int i = 0; i < kCostRounds; ++i) {
        const auto start = Clock::now();
        const std::vector<LoadedKernel> kernels = TRY(load_together());
        const Microseconds load_us = (Clock::now() - start) / together;
        TRY(check_untimed(kernels));
        const Microseconds test_us = (Clock::now() - start) / together;
        const auto before_set = Clock::now();
        TRY(gate(kernels.front(), 0, 1, 1));
        const Microseconds set_us = Clock::now() - before_set;
        tests.push_back(test_us.count());
        // Both sides are loaded, each with a decoy.
        refined.push_back((4 * load_us + set_us).count());
    }
    return PlanCosts{median(std::move(tests)) + kElsewhereUs, median(std::move(refined))};
}

Status GpuBench::check_untimed(std::span<const LoadedKernel> kernels) {
    if (most_together() == 1 && !may_check_with_pairs()) {
        const std::size_t set = next_set();
        TRY(gate(kernels.front(), set, 1, set + 1));
        auto last = gate(kernels.front(), kTimedSet, 1, all_sets());
        return last ? Status{} : fail(last.error());
    }
    TRY(enqueue_first_launches(kernels));
    TRY(enqueue_last_launches(kernels));
    return device_.synchronize();
}

// Measures as screenings do: each load has a full batch of instances.
Result<std::vector<SampledLength>> GpuBench::lengths_together(std::span<const TriedLength> tried) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::vector<std::vector<float>>> by_instance(tried.size());
    std::vector<double> seconds(tried.size(), 0.0);
    for (int load = 0; load < kTogetherLoads; ++load) {
        auto reference = TRY(load_fresh(original_));
        const std::vector<LoadedKernel> kernels = TRY(load_together());
        std::vector<const LoadedKernel*> now;
        for (const LoadedKernel& kernel : kernels)
            now.push_back(&kernel);
        for (std::size_t i = 0; i < tried.size(); ++i) {
            const SampleShape shape =
                GpuTimer::for_plan(tried[i].shape, tried[i].shape.launches, calibration_.original_us);
            const auto start = Clock::now();
            auto seen = TRY(timer_->together(reference, now, arenas_[kTimedSet], shape, kCalibrationPairs,
                                             [] { return Status{}; }));
            seconds[i] += std::chrono::duration<double>(Clock::now() - start).count();
            for (const std::vector<PairSample>& pairs : seen) {
                by_instance[i].emplace_back();
                for (const PairSample& pair : pairs)
                    by_instance[i].back().push_back(pair.log_ratio());
            }
            device_.heartbeat().progress.fetch_add(1);
        }
    }
    // A round has one sample of each instance and of the reference; one more reference sample ends the last.
    const auto each = static_cast<double>(most_together());
    const double samples = kTogetherLoads * (kCalibrationPairs * (each + 1) + 1);
    std::vector<SampledLength> out;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const double sample_us = seconds[i] * 1e6 / samples;
        out.push_back({tried[i].shape.launches, sample_us * (each + 1) / each,
                       usual_deviation(by_instance[i]), sample_us / each});
    }
    return out;
}

Status GpuBench::calibrate_plans(std::span<const TriedLength> tried) {
    auto costs = TRY(plan_costs());
    std::vector<SampledLength> refined;
    for (const TriedLength& length : tried) {
        const double pair_us = length.seconds * 1e6 / (kCalibrationLoads * kCalibrationPairs);
        refined.push_back({length.shape.launches, pair_us, usual_deviation(length.by_load)});
    }
    std::vector<SampledLength> tests = refined;
    if (most_together() > 1) tests = TRY(lengths_together(tried));
    calibration_.test_plan = choose_sample_plan(tests, kTestRest, costs.test_us);
    calibration_.refine_plan =
        choose_sample_plan(refined, std::max(kRefineRest, calibration_.load_deviation), costs.refine_us);
    return {};
}

}  // namespace cubinlab
