// SPDX-License-Identifier: GPL-3.0-or-later
// Compares schedules with the original on a GPU: over fresh processes and loads, in every shape of the workload. `measure`,
// the window, the end of a run, minimal schedules, bundles and `verify` all measure here.
//
//   for (const Measured& m : TRY(measure_schedule(best, workload, {.gpu = gpu}, stop)))
//       TRY(session->add_measurement(m.record(run, step, "measure")));
//
// One GPU measures, also where the settings name a pool: the figures of two GPUs do not add up.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/evidence/step_measurement.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/workload.h"
#include "core/result/run_sink.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct MeasureSettings {
    GpuSettings gpu = {};
    int loads = 12;                // fresh loads of each side
    double alpha = kConfirmAlpha;  // error probability, shared by shapes and caches
    bool energy = true;
    // Of the same kernel on the same GPU, by state of measured_states(gpu.cache), from a search that has just ended;
    // empty: the first process of each state calibrates. Not used where the workload has several shapes.
    std::vector<Calibration> calibrations = {};
};
// The calibrations of a search's evaluator; empty: it was the model or several GPUs.
std::vector<Calibration> calibrations_of(const EvaluatorInfo& evaluator);

struct Measured {
    ShapesComparison comparison;  // with the original
    Cache cache = Cache::Hot;

    MeasurementRecord record(RunId run, StepId step, const std::string& purpose) const {
        return measurement_record(comparison, run, step, purpose, cache);
    }
};

// The settings of one GPU: of several commands the first whose GPU answers. NoGpu: none does, or it cannot run code of
// this architecture. One command is not asked: the comparison itself says whether there is a GPU.
Result<GpuSettings> one_gpu(GpuSettings settings, const Arch& arch, const std::stop_token& stop);

// Compares cubin `b` with cubin `a`. With a mean of cache states there is a result for each, for its share of the
// error probability; a worker that is lost in the second one is an outcome of that one. Errors: those of one_gpu and
// compare_shapes.
Result<std::vector<Measured>> measure_cubins(std::span<const std::byte> a, std::span<const std::byte> b,
                                             const Arch& arch, const Workload& workload,
                                             const MeasureSettings& settings, std::stop_token stop);
// Compares a schedule with `original`, which may be another compilation. Errors: as measure_cubins.
Result<std::vector<Measured>> measure_schedule(const KernelPtr& original, const Schedule& schedule,
                                               const Workload& workload, const MeasureSettings& settings,
                                               std::stop_token stop);
// The same in one cache state.
Result<Measured> measure_in_one_cache(const KernelPtr& original, const Schedule& schedule,
                                      const Workload& workload, MeasureSettings settings, std::stop_token stop);

// Adds a measurement to a session that no process writes. Errors: Busy, Io and the other errors of SessionWriter.
Status store_measurement(SessionReader& reader, const std::filesystem::path& session, const KernelPtr& kernel,
                         const MeasurementRecord& record);

// The confirmations of a run come from the process that searched. Its memory layout is the same for both sides, but the
// search kept what is fast in that layout: on an H100 the winners of bmm gained 3 % less in other processes
// (resources/docs/measurement.md, "Known limits"). So a run ends with a measurement of its best in fresh processes, and
// stamps, reports and exports use that figure.
inline constexpr int kFinalProcesses = 6;  // 3 to 6 s a shape on small kernels

// A GPU judged the run, a schedule beat the start, and the user did not stop the run.
bool needs_final_measurement(const RunSummary& summary, const EvaluatorInfo& evaluator);
// Inputs and order come from another seed than those of the search, which `gpu` has.
Result<std::vector<Measured>> final_measurement(const KernelPtr& original, const Schedule& best,
                                                const Workload& workload, GpuSettings gpu, int processes,
                                                std::stop_token stop,
                                                std::vector<Calibration> calibrations = {});

}  // namespace cubinlab
