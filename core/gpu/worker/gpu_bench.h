// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel with one workload on one GPU: inputs, expected digests (kept on the host), the correctness check,
// timing for each Effort, and the comparison over fresh loads. resources/docs/measurement.md has the order of
// the steps and the reasons. Used in the worker; it knows the requests of the protocol, not the frames.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/inputs.h"
#include "core/gpu/protocol/protocol.h"
#include "core/gpu/protocol/sample_plan.h"
#include "core/gpu/protocol/repeat_budget.h"
#include "core/gpu/protocol/statistics.h"
#include "core/gpu/worker/gpu_arena.h"
#include "core/gpu/worker/gpu_digest.h"
#include "core/gpu/worker/gpu_timer.h"
#include "core/gpu/worker/loaded_code.h"
#include "core/gpu/worker/nvml.h"

namespace cubinlab {

inline constexpr int kPromoteLoads = 4;

// Expected half width of the interval of an effort over fresh loads, from the calibration.
double load_radius(const BenchSettings& settings, const Calibration& calibration, Effort effort);

class GpuBench {
  public:
    // Loads the original, makes the inputs, computes the expected digests and calibrates in each state of
    // measured_states(settings.cache). `known`, by state, skips the calibration.
    // `space`: for a captured workload, otherwise null; it must outlive the bench.
    static Result<std::unique_ptr<GpuBench>> prepare(GpuDevice& device, Workload workload,
                                                     std::vector<std::byte> original, InputFiles files,
                                                     BenchSettings settings, std::vector<Calibration> known,
                                                     const CapturedSpace* space = nullptr);

    // Selects the state in which everything is measured from now on; initially the first one. False: it is not prepared.
    bool select(Cache state);
    const Calibration& calibration() const { return calibration_; }
    const std::vector<Calibration>& calibrations() const { return calibrations_; }  // by state
    const BenchFacts& facts() const { return facts_; }
    const std::vector<std::byte>& original() const { return original_; }
    const PhaseTimes& times() const { return times_; }
    const StartTimes& start_times() const { return start_times_; }

    // Measures one candidate. Failures of the candidate are in its outcome, `fatal` if the worker cannot be
    // used any more. `alpha`: error probability of the interval; 0: that of the effort.
    BenchOutcome evaluate(const std::vector<std::byte>& candidate, const std::vector<std::byte>& reference,
                          Effort effort, double alpha = 0, const Sampling& sampling = {});
    // Screens up to together_at_most() candidates in one load. They share the reference samples before and
    // after them: twice the candidates per time, with less noise each. Error: at least one of them failed, it
    // is not known which, and the worker cannot be used any more.
    Result<std::vector<BenchOutcome>> screen_batch(std::span<const std::vector<std::byte>> candidates,
                                                   const std::vector<std::byte>& reference, double alpha = 0);
    // Refines screened candidates: the same measurement over `loads` fresh loads of candidates and reference, after
    // a check on every set. It has the same shape as screening, also for one candidate, so that figures are
    // comparable: right after a load and alone, a reference sample takes longer (1.1 % for bmm_mma on an H200).
    Result<std::vector<BenchOutcome>> refine(std::span<const std::vector<std::byte>> candidates,
                                             const std::vector<std::byte>& reference, double alpha,
                                             int loads);
    std::size_t together_at_most() const;  // largest batch; 1: no batches
    // Compares over fresh loads of both, in random order. `on_load(done, total)` after each load.
    BenchComparison compare(const CompareRequest& request, const std::function<void(int, int)>& on_load);

  private:
    struct GateVerdict {
        OutcomeKind kind = OutcomeKind::Ok;
        std::string detail;
        std::size_t set = 0;  // the set with the wrong output
    };
    GpuBench(GpuDevice& device, Workload workload, std::vector<std::byte> original, BenchSettings settings);
    struct LoadPlan {
        int loads = 0, pairs = 0;  // pairs per load
        double alpha = kConfirmAlpha;
        bool may_stop = false;     // stop as soon as the verdict is clear
        bool only_faster = false;  // from `futile_from` loads on, stop as soon as FASTER is impossible
        int futile_from = 1;
        StudyShape study = {};
        SamplePlan samples = {};               // launches > 0: replaces the samples of the effort
        std::chrono::milliseconds warm_up{0};  // before the first load's pairs
    };
    static void set_rejected(BenchOutcome& out, const GateVerdict& verdict, const char* when);
    Status make_arenas(const InputFiles& files, bool replacement, const CapturedSpace* space);
    Status make_captured_arenas(const CapturedSpace& space);
    // Compares the digests `seen` of all sets with the results of the captured program.
    Status check_replay(const std::vector<Digest>& seen);
    // Tests whether a launch on its own results does the same work; if not, timed launches start from a restored set.
    Status check_repeated_launch(const LoadedKernel& kernel);
    // Launches on the restored sets [first, first + count), then digests sets [from, to). If sets share memory, all
    // of [from, to) are launched, and each is digested (and `after` called) right after its launch.
    Result<std::vector<Digest>> run_sets(const LoadedKernel& kernel, std::size_t first, std::size_t count,
                                         std::size_t from, std::size_t to, Cache cache,
                                         const std::function<Status(std::size_t)>& after = {});
    Result<std::vector<std::vector<std::byte>>> read_outputs(std::size_t set);
    Dtype dtype_of(const ArenaRegion& region) const;
    Status compute_expected();
    Status check_repeatable();
    Status calibrate_all();
    Status calibrate(bool warm);  // `warm`: the GPU has just measured
    // Time of a measurement without its pairs, microseconds: a screening, and a load of a refinement.
    struct PlanCosts {
        double test_us = 0, refine_us = 0;
    };
    Result<PlanCosts> plan_costs();
    // The checks of a measurement without its pairs.
    Status check_untimed(std::span<const LoadedKernel> kernels);
    // Pairs of the original against itself with one sample shape, over fresh loads.
    struct TriedLength {
        SampleShape shape;
        std::vector<std::vector<float>> by_load = {};
        std::vector<double> costs = {};  // per launch, microseconds
        double seconds = 0;              // total
    };
    Status try_load(std::size_t number, std::vector<TriedLength>& lengths);
    Status try_length(const LoadedKernel& a, const LoadedKernel& b, std::size_t set, TriedLength& length);
    std::vector<TriedLength> lengths_from(const SampleShape& shape) const;
    Result<std::vector<SampledLength>> lengths_together(std::span<const TriedLength> tried);
    Status calibrate_plans(std::span<const TriedLength> tried);
    Status warm_up(const LoadedKernel& kernel, const SampleShape& shape, bool warm);
    struct WarmUpWindow {
        double median = 0, error = 0;  // of A's times, microseconds; `error`: standard error of the median
    };
    // Runs pairs as a measurement does for `time`, at least one batch.
    Result<WarmUpWindow> untimed_pairs(const LoadedKernel& a, const LoadedKernel& b, std::size_t set,
                                       const SampleShape& shape, std::chrono::microseconds time);
    Result<LoadedKernel> load(std::span<const std::byte> image);
    Result<LoadedKernel> load_fresh(const std::vector<std::byte>& image);
    // A full batch of instances of the original.
    Result<std::vector<LoadedKernel>> load_together();
    // `users`: number of candidates that are compared with it before the next call.
    Status refresh_reference(const std::vector<std::byte>& image, int users = 1);
    Result<std::vector<Digest>> digests(std::size_t first_set, std::size_t sets);
    std::vector<DigestRegion> regions_of(std::size_t first_set, std::size_t sets) const;
    std::vector<DigestRegion> outputs_of(std::size_t first_set, std::size_t sets) const;
    // Launches on sets [first, first + count) with poisoned outputs, then checks all regions of [first,
    // check_to).
    Result<GateVerdict> gate(const LoadedKernel& kernel, std::size_t first, std::size_t count,
                             std::size_t check_to);
    // The checks of a screening, enqueued before and after its pairs, so that the host waits for the GPU once.
    // The first launch uses the next set, the last one the timed set; then all memory of all sets is checked.
    // Nothing in between writes the outputs of the first launch again or restores overwritten memory.
    bool may_check_with_pairs() const;
    Status enqueue_first_launch(const LoadedKernel& kernel);
    Status enqueue_last_check(const LoadedKernel& kernel);
    void judge_screening(BenchOutcome& out);  // after the host has waited
    // The same for a batch: the first launch of a candidate is on a set that no other candidate of its wave
    // uses; a second, warm launch follows the pairs.
    Status enqueue_first_launches(std::span<const LoadedKernel> kernels);
    Status enqueue_last_launches(std::span<const LoadedKernel> kernels);
    Status enqueue_checked_launch(const LoadedKernel& kernel, std::size_t set);
    Status judge_checked_launches(std::size_t candidates) const;
    bool shares_memory() const { return arenas_.front().shares_memory(); }
    // Checks the results of a batch after the host has waited. Error: the first difference.
    Status judge_together(std::size_t candidates);
    Status judge_outputs(GpuDigester::Slot slot, std::size_t first_set, std::size_t sets,
                         const char* when) const;
    Status time_together(std::span<const LoadedKernel> kernels, const SamplePlan& samples,
                         std::vector<BenchOutcome>& out);
    // Loads, checks and times a batch once; `out` gets the samples and times.
    Status measure_once(std::span<const std::vector<std::byte>> candidates, const SamplePlan& samples,
                        std::vector<BenchOutcome>& out);
    // Checks each candidate alone on every restored input set.
    Status check_all_sets(std::span<const std::vector<std::byte>> candidates);
    std::size_t most_together() const;  // without regard to the calibration; 1: no batches
    std::size_t wave_size() const;
    std::size_t of_wave(std::size_t candidates, std::size_t wave) const;
    SampleShape planned_shape(const SamplePlan& samples) const;
    static double median_cost(const std::vector<PairSample>& pairs, bool candidate);
    // Fills in estimate, interval and verdict from the samples of one load.
    void judge_one_load(BenchOutcome& out, double pair_deviation) const;
    // The same from several loads.
    LoadsVerdict judge_several_loads(BenchOutcome& out, std::span<const std::vector<float>> by_load,
                                     double pair_deviation) const;
    // Times and checks with one wait for the GPU.
    void screen_at_once(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                        BenchOutcome& out);
    // Enqueues one launch on the restored set.
    Status launch_on(const LoadedKernel& kernel, std::size_t set, Cache cache);
    GateVerdict judge(const std::vector<Digest>& seen, std::size_t first_set, bool outputs) const;
    Result<GateVerdict> gate_tolerance(std::size_t set);
    // `samples` with launches > 0 replaces the samples of the effort and `most_pairs`. `behind` is enqueued
    // after each round of pairs that may be the last.
    void time_in_one_load(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                          BenchOutcome& out, const std::function<Status()>& behind = {});
    void time_over_loads(const std::vector<std::byte>& candidate, const std::vector<std::byte>& reference,
                         const LoadPlan& plan, BenchOutcome& out, std::vector<std::vector<float>>& by_load,
                         std::vector<double>& reference_us, const std::function<void(int, int)>& on_load);
    // True: the GPU was throttled, the samples must be repeated.
    bool discard_throttled(unsigned long long reasons, std::uint32_t& already, std::uint32_t most);
    EnergyComparison compare_energy(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                    int window_ms);
    static constexpr GpuDigester::Slot kLastSlot = 3;  // after those of a batch's waves
    static constexpr std::size_t kTimedSet = 0;        // of a screening
    std::size_t all_sets() const { return arenas_.size(); }
    std::size_t screen_sets() const;
    // The set of the next screening's first launch, in turn; not the timed set, which the last launch uses.
    std::size_t next_set();

    GpuDevice& device_;
    Workload workload_;
    std::vector<std::byte> original_;
    BenchSettings settings_;
    LoadedCode code_;
    std::unique_ptr<GpuDigester> digester_;
    std::unique_ptr<GpuTimer> timer_;
    std::optional<CapturedLaunch> captured_;
    std::vector<GpuArena> arenas_;
    std::vector<std::vector<Digest>> expected_;                 // by set, region
    std::vector<std::vector<std::vector<std::byte>>> outputs_;  // by set, output: tolerance mode only
    std::vector<Cache> states_;
    std::vector<Calibration> calibrations_;  // by state; calibration_ is that of settings_.cache
    Calibration calibration_;
    BenchFacts facts_;
    PhaseTimes times_;
    StartTimes start_times_;
    Nvml nvml_;
    std::unique_ptr<GpuMonitor> monitor_;
    RepeatBudget repeats_;
    std::mt19937_64 random_;
    LoadedKernel reference_;
    std::vector<std::byte> reference_image_;
    int reference_uses_ = 0;
    bool reference_doubted_ = false;
    std::size_t screenings_ = 0;
    std::vector<std::size_t>
        checked_sets_;  // by slot: set of each checked launch of a batch that shares memory
    std::vector<LoadedKernel> decoys_;
};

}  // namespace cubinlab
