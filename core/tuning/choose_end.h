// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several ends of a tuning is its winner. The figures of the search are sums: of a start against the original and
// of a schedule against that start, each the best of many in one process. So the ends that are best by these sums are
// compared with the original itself, in fresh processes and in the cache states that judged the runs. The evaluator compares
// them if its figures are exact or if the tuning has no time for fresh processes.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/result/evaluator.h"
#include "core/store/session.h"
#include "core/tuning/measure.h"

namespace cubinlab {

inline constexpr std::size_t kComparedEnds = 3;
inline constexpr int kChoiceProcesses = 3;

struct TuningEnd {
    RunInfo run;
    StepId step = 0;  // its best
    Schedule best;
    Speedup estimate;  // against the original
};
// The best kComparedEnds by their estimates, one for each code; those that lose are left out.
std::vector<TuningEnd> promising_ends(std::vector<TuningEnd> ends);

struct ChosenEnd {
    std::size_t which = 0;
    Speedup speedup;  // against the original
};
// None: no end beats the original, or none could be compared.
Result<std::optional<ChosenEnd>> choose_by(Evaluator& evaluator, const KernelPtr& original,
                                           std::span<const TuningEnd> ends, const std::stop_token& stop);
// `record` receives each comparison (kChoicePurpose). `gpu` has the seed of the runs; inputs and order use another
// seed. `calibrations`: as in MeasureSettings.
Result<std::optional<ChosenEnd>> choose_in_fresh_processes(
    const KernelPtr& original, std::span<const TuningEnd> ends, const Workload& workload, GpuSettings gpu,
    std::vector<Calibration> calibrations, const std::function<Status(const MeasurementRecord&)>& record,
    const std::stop_token& stop);

}  // namespace cubinlab
