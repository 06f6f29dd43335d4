// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how reliable and how fast the measurement is:
//
//   same      Compares the original with itself, at each effort. Every FASTER or SLOWER is false.
//   cold      Flushes L2 before each launch. Compares the original with itself and with a padded schedule
//             (about 2 % slower, also hot). An estimate from many more pairs judges the verdict.
//   rate      Candidates per second with all checks on, and where the time goes.
//   hostile   Candidates that fault, hang and write out of bounds (study/hostile.h), with 1,000 good ones.
//
// resources/docs/measurement.md explains the tables.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lab/study/hostile.h"
#include "app/lab/study/phase_share.h"
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/cache.h"

namespace cubinlab {

struct FalseVerdicts {
    std::uint64_t comparisons = 0, faster = 0, slower = 0, same = 0, failed = 0, pairs = 0;
    std::uint64_t wrong() const { return faster + slower; }
    void add(const BenchOutcome& outcome);
    void add(const FalseVerdicts& other);
};

// Original against itself. Rungs: 0 screen, 1 promote, 2 confirm.
struct SameStudy {
    std::string kernel;
    double original_us = 0;
    std::array<FalseVerdicts, 3> rungs;
    double predicted_deviation = 0;   // of a promoted mean over its first load pair, by the calibration
    double seen_deviation = 0;        // of the first load pair's mean of all promotions
    double predicted_detectable = 0;  // log speed-up (Calibration::detectable)
    double seen_detectable = 0;       // same_within + median half width + 1.645 deviations of confirmed means
    double seconds = 0;
};

// A schedule slower by an unknown amount, which a long measurement of its own pins down first.
struct PaddedStudy {
    std::string kernel;
    double original_us = 0;
    double target = 0;      // wanted slow-down, log; 0: none
    std::size_t edits = 0;  // cycles added to stall counts
    Speedup estimate;       // from `estimate_pairs` pairs over `estimate_loads` loads
    std::uint64_t estimate_pairs = 0, estimate_loads = 0;
    std::uint64_t comparisons = 0, failed = 0;
    std::uint64_t covered = 0;                        // intervals that hold the estimate
    std::uint64_t right = 0, wrong = 0, unclear = 0;  // verdicts against the one that the estimate gives
    double mean_error = 0, median_half_width = 0;
    Cache cache = Cache::Hot;
};

struct HostileRow {
    HostileCandidate candidate;
    BenchOutcome outcome;
    bool logged = false;
    bool honest() const { return logged && candidate.is_honest(outcome.kind); }
};
struct HostileStudy {
    std::string kernel;
    std::vector<HostileRow> hostile;
    std::uint64_t good = 0, good_same = 0;  // candidates with an outcome; of these: the original itself
    std::uint64_t good_called_bad = 0;      // an outcome other than ok
    std::uint64_t false_screenings = 0;     // the original called FASTER or SLOWER by a screening
    std::uint64_t false_verdicts = 0;       // ... and by the promotion that follows it
    std::uint64_t lost = 0;                 // candidates without an outcome
    int workers = 0;
    double seconds = 0;
    std::vector<std::string> called_bad;  // details
};

struct RateStudy {
    std::string kernel;
    std::optional<Cache> cache;
    bool by_noise = false;  // as a search screens: with the samples of the calibration, in batches
    double original_us = 0;
    std::uint64_t candidates = 0, failed = 0;
    double seconds = 0, pairs = 0;  // pairs: mean a candidate
    PhaseShare phases;
    // From a lost worker to the next one being ready: the first time, and the median of the later ones, for
    // which a spare may wait. Milliseconds; 0: not studied.
    double first_restart_ms = 0, restart_ms = 0;
    double per_second() const { return seconds > 0 ? static_cast<double>(candidates) / seconds : 0; }
};

// A fault of the original's own is an error; `seconds` is the time after the worker is ready.
Result<SameStudy> study_same(GpuClient& client, const WireImage& original, double seconds, double same_within,
                             std::stop_token stop);
// How much of a padding makes a kernel slower by about `target` (log), by short measurements: doubled until
// it is too much, then halved in. `image(n)`: the kernel with the first n of `most` steps. The nearest that
// was seen, where none comes within a sixth.
Result<std::size_t> find_padding(GpuClient& client, std::span<const std::byte> original,
                                 const std::function<std::vector<std::byte>(std::size_t)>& image,
                                 std::size_t most, double target, std::stop_token stop);
// First the estimate: 20 pairs of each of `estimate_loads` loads. Then comparisons as `measure` makes them,
// until there are `most`, or until the time is over and there are `least`. All over fresh processes.
Result<PaddedStudy> study_padded(GpuClient& client, std::span<const std::byte> original,
                                 std::span<const std::byte> padded, double same_within, double seconds,
                                 std::stop_token stop, std::uint64_t most = 100, int estimate_loads = 60,
                                 std::uint64_t least = 4);
// All hostile candidates and as many good ones as `good` has, mixed, in one run of one client.
Result<HostileStudy> study_hostile(GpuClient& client, const WireImage& original,
                                   std::span<const std::byte> base,
                                   const std::vector<HostileCandidate>& hostile,
                                   const std::vector<WireImage>& good, std::stop_token stop);
// `next` makes the candidates of one batch. `broken`, if not null, is an image that costs a worker: it is
// evaluated five times at the end.
Result<RateStudy> study_rate(GpuClient& client, const WireImage& original,
                             const std::function<std::vector<WireImage>()>& next, double seconds,
                             std::stop_token stop, const WireImage* broken = nullptr,
                             const Sampling& sampling = {});

struct StudySettings {
    GpuSettings gpu;
    std::filesystem::path folder = "samples";
    double seconds = 240;  // for all parts together
    std::vector<std::string> parts = all_parts();
    static const std::vector<std::string>& all_parts();
    std::filesystem::path probe = "resources/probe";  // folder of hostile_probe.sm_90a.cubin
    double cold_padded_by = 0.02;
    std::vector<std::string> cold = {"bmm_mma", "softmax"};
    std::vector<std::string> rate = {"bmm_mma", "softmax", "flash_attn_d64", "gemm_leaky_large"};
};

struct MeasurementStudy {
    EvaluatorInfo machine;
    std::vector<SameStudy> same;
    std::vector<PaddedStudy> cold;
    std::vector<RateStudy> rate;
    std::vector<HostileStudy> hostile;
    std::vector<std::string> notes;  // kernels that could not be studied, an early end
};

// Errors: NoGpu, NotFound (no cubins in the folder), BadUse (no such part). What a kernel's study fails on is
// a note.
Result<MeasurementStudy> study_measurement(const StudySettings& settings,
                                           const std::function<void(const std::string&)>& progress,
                                           std::stop_token stop);

// One-sided Clopper-Pearson bound: the largest rate that gives at most `hits` of `trials` with probability
// `alpha` (1 if hits == trials).
double rate_upper_bound(std::uint64_t hits, std::uint64_t trials, double alpha = 0.05);

// Tables in Markdown.
std::string markdown(const MeasurementStudy& study);

}  // namespace cubinlab
