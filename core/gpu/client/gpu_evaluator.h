// SPDX-License-Identifier: GPL-3.0-or-later
// The Evaluator that measures on a GPU through cubinlab-bench-worker processes; this process does not open
// CUDA. Protocol and statistics: resources/docs/measurement.md.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/workload.h"
#include "core/result/cache.h"
#include "core/result/evaluator.h"
#include "core/result/measurement.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

class ProbedWorker;

struct GpuSettings {
    // Command that starts a worker; empty: cubinlab-bench-worker next to the program, or on PATH. Split into
    // words as a shell does, but run without a shell: "ssh -T -e none host cubinlab-bench-worker".
    std::string worker_command;
    int device = 0;
    // A pool: several commands ("local": the default one) instead of `worker_command`, each with `gpus_each`
    // GPUs from `device` on; 0: all GPUs of its machine.
    std::vector<std::string> worker_commands;
    int gpus_each = 1;
    // Earlier confirmations of a resumed run: its error probability is spent over all of them.
    std::uint64_t confirmations_before = 0;
    int input_sets = 5;                          // fixed sets for the check while screening
    std::chrono::milliseconds hang_after{2000};  // watchdog for one candidate
    std::uint64_t seed = 1;                      // of inputs and pair order
    double same_within = 0.002;                  // |log speed-up| below this counts as SAME
    Cache cache = Cache::Hot;                    // a comparison takes the first of measured_states(cache)
    bool cache_given = true;                     // false: nobody chose `cache` (with_cache_for)
    BenchSettings ladder;  // pairs, loads and sample lengths of each rung; the fields above win
    std::chrono::milliseconds silence{10000};       // longest time without a heartbeat
    std::chrono::milliseconds start_within{60000};  // longer for the queue of a batch system
    std::uint64_t recycle_after = 15000;            // candidates per worker
    // Keeps the worker that answered probe_gpu for the evaluator that is made with these settings; null: the worker ends.
    std::shared_ptr<ProbedWorker> probed = nullptr;
    // Receives the seconds that the workers of an evaluator took to warm up and calibrate; null: not recorded.
    std::shared_ptr<double> calibrating_s = nullptr;
};
// Returns `settings` with storage for the worker of the next probe and for the seconds of calibrations.
GpuSettings watching_starts(GpuSettings settings);

// Where nobody chose a cache state, that of the workload: program for a captured launch, otherwise hot.
GpuSettings with_cache_for(GpuSettings settings, const Workload& workload);

// What judged a run; empty: it is not known, or it was the model.
std::optional<Cache> cache_of(const EvaluatorInfo& machine);

// Starts a worker and asks it; this process does not load the driver.
GpuProbe probe_gpu(const GpuSettings& settings = {}, const std::stop_token& stop = {});

// Whether a GPU of compute capability `sm` can run code for `arch` (as in bench_types.h). Empty: it can;
// otherwise the reason.
std::string cannot_run(int sm, const Arch& arch);

// Error probability of the j-th confirmation of a run, j = 1, 2, ...: kConfirmAlpha / (j (j + 1)). The sum
// over all j is kConfirmAlpha, so the intervals of all confirmations of a run, and that of the best one, hold
// simultaneously with error probability kConfirmAlpha (alpha spending; Tian and Ramdas, "Online control of
// the familywise error rate", Statistical Methods in Medical Research 30(4), 2021, section 2).
double confirmation_alpha(std::uint64_t j);

// The GPUs of `settings`. For gpus_each 0 it asks workers for the number.
struct PoolMember;
Result<std::vector<PoolMember>> pool_members(const GpuSettings& settings);

// Measures in every shape of the workload and in every state of settings.cache (parts_evaluator.h): a worker for each
// shape, which prepares all states. All confirmations of one candidate share the error probability of one.
Result<std::unique_ptr<Evaluator>> make_gpu_evaluator(KernelPtr kernel, const Workload& workload,
                                                      GpuSettings settings, std::stop_token stop);
// Warnings of the preparation for every GPU of the pool (an output that does not depend on the input, times
// that did not become steady); empty: none.
std::string machine_warning(const EvaluatorInfo& machine);

// The client alone, not started, for studies of the protocol and for phase times, in the first of
// measured_states(settings.cache). Include
// core/gpu/client/gpu_client.h to use it. Errors: BadInput (the workload does not fit the cubin), Io.
class GpuClient;
Result<std::unique_ptr<GpuClient>> make_gpu_client(const Kernel& kernel, const Workload& workload,
                                                   const GpuSettings& settings);

// A pool, not started. Include core/gpu/client/gpu_pool.h to use it.
class GpuPool;
Result<std::unique_ptr<GpuPool>> make_gpu_pool(const Kernel& kernel, const Workload& workload,
                                               const GpuSettings& settings, std::vector<PoolMember> members);

// `cubinlab measure A B`: two cubins with one workload over fresh processes and loads, in random order. The outcome is of
// B against A; the details have one list of samples per fresh worker process (core/gpu/client/worker_replication.h).
struct Comparison : ShapeMeasurement {
    EvaluatorInfo machine;
};
struct CompareOptions {
    double alpha = 0;     // error probability of the interval; 0: kConfirmAlpha
    int energy_ms = 250;  // length of one window of the energy measurement; 0: none
    bool gpu_known = false;  // a GPU answered with these settings before
    std::optional<Calibration> known =
        {};  // of this kernel, shape and cache state on this GPU; none: the comparison calibrates
};
// Errors: NoGpu where no worker starts, unless the GPU is known (then Worker); NoGpu (it runs no such code); Worker.
Result<Comparison> compare_cubins(std::span<const std::byte> a, std::span<const std::byte> b,
                                  const Workload& workload, GpuSettings settings, int loads,
                                  std::stop_token stop, const CompareOptions& options = {});

}  // namespace cubinlab
