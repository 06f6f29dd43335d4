// SPDX-License-Identifier: GPL-3.0-or-later
// One row of the log: a candidate and what became of it.
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/result/outcome.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct StepRecord {
    StepId step = 0;
    StepId parent = 0;
    // The step whose schedule the figure was compared with, 0: the start. Of a repeated step: the step whose outcome it
    // copies. Empty: not known, in a file of schema 8.
    std::optional<StepId> reference_step = 0;
    Mutation mutation;
    Hash128 schedule_hash;  // of the resulting words
    Outcome outcome;        // log_speedup against the run's start schedule
    double reward = 0;
    bool accepted = false;
    bool best = false;         // became the run's best with this step
    bool repeated = false;     // same words as an earlier step: outcome copied, not evaluated again
    std::int64_t time_us = 0;  // since the run began or last went on, pauses left out; microseconds (work_time.h)
};

}  // namespace cubinlab
