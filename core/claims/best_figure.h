// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of a run's best now: what the run confirmed of it, or, where it was measured again over fresh processes, that.
// A run's own figure comes from the process that searched and is the best of many; so every list of runs goes by this one.
#pragma once
#include <optional>
#include <string>

#include "core/claims/step_measurement.h"
#include "core/store/session.h"

namespace cubinlab {

struct BestFigure {
    StepId step = 0;  // 0: nothing beat the start
    Outcome logged;   // without raw samples
    std::optional<PooledMeasurement>
        again;           // with the run's cache; of the original, whatever the run started from
    std::string failed;  // measured again it did not run well: the outcome's name; `again` is empty then

    double log_speedup() const { return again ? again->log_speedup : logged.log_speedup; }
    double low() const { return again ? again->low : logged.low; }
    double high() const { return again ? again->high : logged.high; }
};

// Reads the run's best step and what was measured of it. Errors: what cannot be read.
Result<BestFigure> best_figure(SessionReader& reader, const RunInfo& run);

}  // namespace cubinlab
