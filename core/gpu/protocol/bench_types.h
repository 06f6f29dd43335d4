// SPDX-License-Identifier: GPL-3.0-or-later
// Types that client and worker alone share: settings and the outcome of a candidate.
#pragma once
#include <cstdint>
#include <string>

#include "core/result/cache.h"
#include "core/result/machine_info.h"
#include "core/result/measurement.h"
#include "core/result/outcome.h"

namespace cubinlab {

// Whether a GPU of compute capability `sm` can run code for `cubin_sm`: the same major and at least its minor
// version, "a" variants exactly the same. Empty: it can; otherwise the reason.
std::string cannot_run(int sm, int cubin_sm, bool accelerated);

// Error probabilities of the intervals of the three efforts; `cubinlab measure` uses that of Confirm.
inline constexpr double kScreenAlpha = 0.05, kPromoteAlpha = 0.02, kConfirmAlpha = 0.01;

struct BenchSettings {
    int device = 0;
    int input_sets = 5;  // checked for every candidate
    int extra_sets = 2;  // more sets, first used when a candidate is refined
    std::uint64_t seed = 1;
    double same_within = 0.002;
    Cache cache = Cache::Hot;  // at every timed launch and at every launch that is checked; no mean
    int hang_after_ms = 2000;  // longest wait for the GPU
    double screen_us = 100;    // target length of one timing sample, microseconds
    double promote_us = 200;
    int screen_pairs = 4;
    int promote_pairs = 40;
    int confirm_loads = 10;
    int confirm_pairs = 10;  // per load
    // A confirmation that is unclear after confirm_loads and can still become FASTER continues to this number.
    int confirm_most_loads = 40;
    int reload_every = 8;  // candidates per load of the reference; fewer after a FASTER
    int cubin_sm = 0;      // compute capability of the cubin; 0: not known
    bool cubin_accelerated = false;
    int repeat_original = 3;  // runs of the original per input set that must agree
    int warm_up_ms = 4000;    // longest warm-up before the calibration, shortest a quarter of it; 0: none
};

// The answer to `probe`: the GPU of a worker.
struct GpuProbe {
    bool present = false;
    std::string device;  // "NVIDIA H200"
    std::string driver;  // "580.159.04 (CUDA 13.0)"
    std::string reason;  // why there is none; empty: present
    std::string uuid;
    int sm = 0;       // compute capability: 90
    int devices = 0;  // GPUs that the driver of that machine reports
};

// The outcome of a candidate from the worker. `cost` is in microseconds; the client fills in `pairs`, `device`.
struct BenchOutcome : Outcome {
    double reference_us = 0;
    std::uint32_t loads = 0;  // fresh loads of each side
    bool fatal = false;       // the worker cannot be used any more
};

// A comparison with other samples, for studies of the protocol. `extra_launches` adds work of a known amount,
// ln(1 + |extra| / launches), to B (positive) or to A (negative).
struct StudyShape {
    int pairs = 0;           // per load; 0: from the settings
    int launches = 0;        // per sample; 0: from the sample length of the settings
    int extra_launches = 0;  // needs `launches`; hot cache alone
};

struct BenchComparison {
    BenchOutcome outcome;
    MeasurementDetails details;
};

// Seconds of a worker's start: driver and context, memory of the input sets, checks of the original, warm-up and calibration.
struct StartTimes {
    double open = 0, memory = 0, check = 0, calibrate = 0;
};

// Seconds by phase since the worker was prepared.
struct PhaseTimes {
    double load = 0, check = 0, timing = 0, unload = 0, protocol = 0;
    std::uint64_t candidates = 0, loads = 0, launches = 0;
    std::uint64_t throttled_blocks = 0;
};

}  // namespace cubinlab
