// SPDX-License-Identifier: GPL-3.0-or-later
// What client and worker both know: settings, calibration and what a worker says of a candidate.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/protocol/sample_plan.h"
#include "core/result/outcome.h"

namespace cubinlab {

// Whether a GPU of compute capability `sm` runs code assembled for `cubin_sm`: same major, not below its
// minor, the "a" variants exactly. Empty: yes; else the reason.
std::string cannot_run(int sm, int cubin_sm, bool accelerated);

// Error probabilities of the three rungs' intervals; `measure` uses that of Confirm.
inline constexpr double kScreenAlpha = 0.05, kPromoteAlpha = 0.02, kConfirmAlpha = 0.01;

struct BenchSettings {
    int device = 0;
    int input_sets = 5;  // checked for every candidate
    int extra_sets = 2;  // further ones, first used when a candidate is promoted
    std::uint64_t seed = 1;
    double same_within = 0.002;
    bool flush_l2 = false;  // before every timed launch, and before every launch that is checked
    bool disturb = false;   // a second kernel runs beside everything behind the calibration (disturbance.h)
    int hang_after_ms = 2000;  // longest wait for the GPU
    double screen_us = 100;    // wanted length of one timing sample, microseconds
    double promote_us = 200;
    int screen_pairs = 4;
    int promote_pairs = 40;
    int confirm_loads = 10;
    int confirm_pairs = 10;  // of each load
    // A confirmation that is unclear after confirm_loads, and can still become FASTER, goes on to this many.
    int confirm_most_loads = 40;
    int reload_every = 8;  // candidates per load of the reference; less after a FASTER
    int cubin_sm = 0;      // what the cubin was assembled for; 0: not said
    bool cubin_accelerated = false;
    int repeat_original = 3;  // runs of the original per input set that must agree
    int warm_up_ms = 4000;    // at most, before the calibration; at least a quarter of it; 0: none
};

struct Calibration {
    double timer_step_us = 0;
    double original_us = 0;     // one launch, hot unless flush_l2
    double pair_deviation = 0;  // of a screening pair of two loads of the original
    double load_deviation = 0;  // of the mean over one load pair, beyond what its pairs explain
    double false_verdicts = 0;  // share of A/A load pairs that a screening called FASTER or SLOWER
    double detectable = 0;      // log-speed-up that a promoted comparison resolves
    bool deterministic = true;
    // Looks by a kernel's noise: of one load (Screen), of each of several fresh ones (Refine).
    SamplePlan test_plan, refine_plan;
    // How long a healthy wait for the GPU may take beyond the watchdog's time: its launches, for a long
    // kernel.
    int longest_wait_ms() const { return static_cast<int>(original_us * 60 / 1000); }
};

// What a worker says of its GPU before it is prepared.
struct GpuProbe {
    bool present = false;
    std::string device;  // "NVIDIA H200"
    std::string driver;  // "580.159.04 (CUDA 13.0)"
    std::string reason;  // why there is none; empty: present
    std::string uuid;
    int sm = 0;       // compute capability: 90
    int devices = 0;  // GPUs that the driver of that machine reports
};

struct BenchFacts {
    std::string device, driver, uuid, pci, digest_note, cache_state,
        warning,   // about the workload: what its check cannot see
        expected;  // expected: hash over all expected digests
    int sm = 0, multiprocessors = 0, l2_bytes = 0, clock_khz = 0, memory_clock_khz = 0;
    int input_sets = 0, extra_sets = 0;
    std::uint64_t arena_bytes = 0;
    int temperature_c = -1, power_w = -1, sm_clock_mhz = -1;
    int warm_up_ms = 0;   // until the original's time was steady; 0: a replacement, which does not warm up
    bool settled = true;  // it was within the time allowed
};

// What a worker says of a candidate. Its cost is in microseconds; `pairs` and `device` are the client's to fill in.
struct BenchOutcome : Outcome {
    double reference_us = 0;
    std::uint32_t loads = 0;  // fresh loads of each side
    bool fatal = false;       // the worker must not be used again
};

// A comparison with another shape of sample, for studies of the protocol itself. With `extra_launches` one
// side does more work by a known amount, ln(1 + |extra| / launches): B's where it is positive, A's where
// negative.
struct StudyShape {
    int pairs = 0;           // of each load; 0: as the settings say
    int launches = 0;        // of one sample; 0: by the length that the settings say
    int extra_launches = 0;  // needs `launches`; not with flush_l2
};

// Energy of both sides from NVML's counter, over windows of launches in turn. `windows` 0: no figure.
struct EnergyComparison {
    int windows = 0;            // of each side
    double a_mj = 0, b_mj = 0;  // millijoules a launch, the GPU's idle power included
    double log_ratio = 0;       // ln(A / B): positive, B needs less
    double low = 0, high = 0;   // 95 % t interval over the pairs of windows
    double a_watts = 0, b_watts = 0;
};

struct BenchComparison {
    BenchOutcome outcome;
    EnergyComparison energy;
    std::vector<std::vector<float>> by_load;
    bool outputs_equal = false;
    int input_sets = 0;
};

// Where the time goes, seconds since the start of the worker.
struct PhaseTimes {
    double load = 0, check = 0, timing = 0, unload = 0, protocol = 0;
    std::uint64_t candidates = 0, loads = 0, launches = 0;
    std::uint64_t throttled_blocks = 0;
};

}  // namespace cubinlab
