// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel and one workload on one GPU: inputs, expected digests (kept on the host), the correctness gate,
// the ladder of timing, and the comparison over fresh loads. Order of steps and their reasons:
// resources/docs/measurement.md. Lives in the worker; of the protocol it knows the requests, not the frames.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/worker/gpu_arena.h"
#include "core/gpu/worker/gpu_digest.h"
#include "core/gpu/worker/gpu_timer.h"
#include "core/gpu/protocol/inputs.h"
#include "core/gpu/worker/loaded_code.h"
#include "core/gpu/worker/nvml.h"
#include "core/gpu/protocol/protocol.h"
#include "core/gpu/protocol/repeat_budget.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {

inline constexpr int kPromoteLoads = 4;

// Half width that a rung over fresh loads ends with, going by the calibration.
double load_radius(const BenchSettings& settings, const Calibration& calibration, Effort effort);

class GpuBench {
  public:
    // Loads the original, makes the inputs, computes what is expected, calibrates. `known` skips the
    // calibration. `space`: of a captured workload, else null; it must outlive the bench.
    static Result<std::unique_ptr<GpuBench>> prepare(GpuDevice& device, Workload workload,
                                                     std::vector<std::byte> original, InputFiles files,
                                                     BenchSettings settings, std::optional<Calibration> known,
                                                     const CapturedSpace* space = nullptr);

    const Calibration& calibration() const { return calibration_; }
    const BenchFacts& facts() const { return facts_; }
    const std::vector<std::byte>& original() const { return original_; }
    const PhaseTimes& times() const { return times_; }

    // Everything a candidate does is in the outcome. An error: this worker is of no further use.
    // `alpha`: error probability of the interval, 0: the rung's own.
    BenchOutcome evaluate(const std::vector<std::byte>& candidate, const std::vector<std::byte>& reference,
                          Effort effort, double alpha = 0, const Sampling& sampling = {});
    // Looks of one load at up to `together_at_most()` candidates, which share the samples of the reference before and after
    // them: twice as many in the time of looks alone, each with less noise. An error: one of them failed, or did
    // something that it must not, and this worker does not know which; it is of no further use.
    Result<std::vector<BenchOutcome>> screen_batch(std::span<const std::vector<std::byte>> candidates,
                                                   const std::vector<std::byte>& reference, double alpha = 0);
    // What tests promised, looked at closer: the same over `loads` fresh loads of all, of the reference too, behind a check on
    // every set. Made as tests are, so that the two stand on one scale: alone, right behind a load, the reference's sample takes
    // longer than in a test (by 1.1 % on bmm_mma on an H200). One candidate is looked at so, too.
    Result<std::vector<BenchOutcome>> refine(std::span<const std::vector<std::byte>> candidates,
                                             const std::vector<std::byte>& reference, double alpha,
                                             int loads);
    std::size_t together_at_most() const;  // 1: each alone
    // Over fresh loads of each, in random order; `on_load` after each (done, total).
    BenchComparison compare(const CompareRequest& request, const std::function<void(int, int)>& on_load);

  private:
    struct GateVerdict {
        OutcomeKind kind = OutcomeKind::Ok;
        std::string detail;
        std::size_t set = 0;  // whose output is wrong
    };
    GpuBench(GpuDevice& device, Workload workload, std::vector<std::byte> original, BenchSettings settings);
    struct LoadPlan {
        int loads = 0, pairs = 0;  // pairs of each load
        double alpha = kConfirmAlpha;
        bool may_stop = false;     // as soon as the verdict is clear
        bool only_faster = false;  // and, from `futile_from` loads on, as soon as FASTER is out of reach
        int futile_from = 1;
        StudyShape study = {};
        SamplePlan samples = {};               // launches > 0: instead of the rung's samples
        std::chrono::milliseconds warm_up{0};  // before the first load's pairs
    };
    static void set_rejected(BenchOutcome& out, const GateVerdict& verdict, const char* when);
    Status make_arenas(const InputFiles& files, bool replacement, const CapturedSpace* space);
    Status make_captured_arenas(const CapturedSpace& space);
    // Whether the replay gives what the program got: `seen` of all sets.
    Status check_replay(const std::vector<Digest>& seen);
    // Whether a launch on its own results does the same again; else each is timed from its first state.
    Status check_repeated_launch(const LoadedKernel& kernel);
    // Launches on sets [first, first + count) from their first state, then digests of sets [from, to). Where sets
    // share memory each is digested right after its launch, and all of [from, to) are launched; `after` likewise.
    Result<std::vector<Digest>> run_sets(const LoadedKernel& kernel, std::size_t first, std::size_t count,
                                         std::size_t from, std::size_t to, bool flush,
                                         const std::function<Status(std::size_t)>& after = {});
    Result<std::vector<std::vector<std::byte>>> read_outputs(std::size_t set);
    Dtype dtype_of(const ArenaRegion& region) const;
    Status compute_expected();
    Status check_repeatable();
    Status calibrate();
    // What a look costs beside its pairs, microseconds: of one load, and of each of several.
    struct PlanCosts {
        double test_us = 0, refine_us = 0;
    };
    Result<PlanCosts> plan_costs();
    // The checks of looks without their pairs.
    Status check_untimed(std::span<const LoadedKernel> kernels);
    // Pairs of the original against itself by samples of one shape, over fresh loads.
    struct TriedLength {
        SampleShape shape;
        std::vector<std::vector<float>> by_load = {};
        std::vector<double> costs = {};  // of a launch, microseconds
        double seconds = 0;              // in all
    };
    Status try_load(std::size_t number, std::vector<TriedLength>& lengths);
    Status try_length(const LoadedKernel& a, const LoadedKernel& b, std::size_t set, TriedLength& length);
    std::vector<TriedLength> lengths_from(const SampleShape& shape) const;
    Result<std::vector<SampledLength>> lengths_together(std::span<const TriedLength> tried);
    Status calibrate_plans(std::span<const TriedLength> tried);
    Status warm_up(const LoadedKernel& kernel, const SampleShape& shape);
    // Keeps the GPU busy as a measurement would for `time`, at least one batch. A's median, microseconds.
    Result<double> untimed_pairs(const LoadedKernel& a, const LoadedKernel& b, std::size_t set,
                                 const SampleShape& shape, std::chrono::microseconds time);
    Result<LoadedKernel> load(std::span<const std::byte> image);
    Result<LoadedKernel> load_fresh(const std::vector<std::byte>& image);
    // As many instances of the original as go together.
    Result<std::vector<LoadedKernel>> load_together();
    // `users`: candidates that will be compared with it before the next call.
    Status refresh_reference(const std::vector<std::byte>& image, int users = 1);
    Result<std::vector<Digest>> digests(std::size_t first_set, std::size_t sets);
    std::vector<DigestRegion> regions_of(std::size_t first_set, std::size_t sets) const;
    std::vector<DigestRegion> outputs_of(std::size_t first_set, std::size_t sets) const;
    // Launches on sets [first, first + count) with poisoned outputs, then compares all regions of [first,
    // check_to).
    Result<GateVerdict> gate(const LoadedKernel& kernel, std::size_t first, std::size_t count,
                             std::size_t check_to);
    // A screening's checks, enqueued before and behind its pairs, so that the host waits for the GPU once. The first launch
    // is on the set whose turn it is, the last on the set that was timed, and all memory of all sets is compared after it:
    // nothing in between writes the first one's outputs again, or puts back what was spoilt.
    bool may_check_with_pairs() const;
    Status enqueue_first_launch(const LoadedKernel& kernel);
    Status enqueue_last_check(const LoadedKernel& kernel);
    void judge_screening(BenchOutcome& out);  // after the host has waited
    // The same of several at once: each has its first launch on a set that no other of its wave has, and another, warm, behind
    // the pairs.
    Status enqueue_first_launches(std::span<const LoadedKernel> kernels);
    Status enqueue_last_launches(std::span<const LoadedKernel> kernels);
    // Whether all that these left is right, after the host has waited; else what is not.
    Status judge_together(std::size_t candidates);
    Status judge_outputs(GpuDigester::Slot slot, std::size_t first_set, std::size_t sets,
                         const char* when) const;
    Status time_together(std::span<const LoadedKernel> kernels, const SamplePlan& samples,
                         std::vector<BenchOutcome>& out);
    // Fresh instances, checked and timed together once; what each took is put into `out`.
    Status measure_once(std::span<const std::vector<std::byte>> candidates, const SamplePlan& samples,
                        std::vector<BenchOutcome>& out);
    // Each by itself, on every input set from its first state.
    Status check_all_sets(std::span<const std::vector<std::byte>> candidates);
    std::size_t most_together() const;  // 1: each alone
    std::size_t wave_size() const;
    std::size_t of_wave(std::size_t candidates, std::size_t wave) const;
    SampleShape planned_shape(const SamplePlan& samples) const;
    static double median_cost(const std::vector<PairSample>& pairs, bool candidate);
    // Estimate, interval and verdict of the samples of one load.
    void judge_one_load(BenchOutcome& out, double pair_deviation) const;
    // The same of several loads.
    LoadsVerdict judge_several_loads(BenchOutcome& out, std::span<const std::vector<float>> by_load,
                                     double pair_deviation) const;
    // Times and checks in one go; the outcome says all.
    void screen_at_once(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                        BenchOutcome& out);
    // One launch from the set's first state. Enqueued, not waited for.
    Status launch_on(const LoadedKernel& kernel, std::size_t set, bool flush);
    GateVerdict judge(const std::vector<Digest>& seen, std::size_t first_set, bool outputs);
    Result<GateVerdict> gate_tolerance(std::size_t set);
    // `look`: launches > 0, instead of the rung's samples and of `most_pairs`. `behind`: enqueued after each round of pairs
    // that may be the last.
    void time_in_one_load(const LoadedKernel& kernel, int most_pairs, const SamplePlan& samples,
                          BenchOutcome& out, const std::function<Status()>& behind = {});
    void time_over_loads(const std::vector<std::byte>& candidate, const std::vector<std::byte>& reference,
                         const LoadPlan& plan, BenchOutcome& out, std::vector<std::vector<float>>& by_load,
                         std::vector<double>& reference_us, const std::function<void(int, int)>& on_load);
    // True: the GPU was throttled, these samples are to be taken again.
    bool discard_throttled(unsigned long long reasons, std::uint32_t& already, std::uint32_t most);
    EnergyComparison compare_energy(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                    int window_ms);
    static constexpr std::size_t kTimedSet = 0;  // of a screening
    std::size_t all_sets() const { return arenas_.size(); }
    std::size_t screen_sets() const;
    // That the next screening's first launch is made on: one after the other, the timed one comes last of all anyway.
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
    Calibration calibration_;
    BenchFacts facts_;
    PhaseTimes times_;
    Nvml nvml_;
    std::unique_ptr<GpuMonitor> monitor_;
    RepeatBudget repeats_;
    std::mt19937_64 random_;
    LoadedKernel reference_;
    std::vector<std::byte> reference_image_;
    int reference_uses_ = 0;
    bool reference_doubted_ = false;
    std::size_t screenings_ = 0;
    std::vector<LoadedKernel> decoys_;
};

}  // namespace cubinlab
