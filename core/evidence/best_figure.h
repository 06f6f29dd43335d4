// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of a run's best now: what the run confirmed of it, or, where it was measured again over fresh processes, that.
// A run's own figure comes from the process that searched and is the best of many; so every list of runs goes by this one.
#pragma once
#include <optional>
#include <string>

#include "core/evidence/step_measurement.h"
#include "core/result/cache.h"
#include "core/store/session.h"

namespace cubinlab {

struct BestFigure {
    RunId run = 0;
    StepId step = 0;                         // 0: nothing beat the start
    Hash128 schedule_hash;                   // of the step; zero: its row cannot be read
    Outcome logged;                          // without raw samples
    std::optional<PooledMeasurement> again;  // of the original, whatever the run started from
    std::string failed;  // measured again it was seen to fail: the outcome's name; `again` is empty then
    // What nobody could measure when it was measured again, and no other measurement holds ("shape wide (worker-lost)"):
    // nothing is FASTER.
    std::string without_figure;
    // Who says what stands: the GPU that measured it again, else what judged the run.
    EvaluatorKind by = EvaluatorKind::Model;
    std::string device;
    std::optional<Cache> cache;

    bool measured() const { return by == EvaluatorKind::Gpu; }
    const Speedup& speedup() const { return again ? again->speedup : logged.speedup; }
};

// What measurements over fresh processes say in the place of the run's own figure of a step: with the cache that judged it
// (where that is known), and not where it is the mean over several shapes and they measured the first alone. Empty: nothing.
std::optional<PooledMeasurement> measured_like_run(const std::vector<MeasurementRecord>& records,
                                                   const RunInfo& run, StepId step, const Outcome& logged);

// Reads the run's best step and what was measured of it; of a log with a hole, or that cannot be read, what the run's row
// says, with no interval.
BestFigure best_figure(SessionReader& reader, const RunInfo& run);

}  // namespace cubinlab
