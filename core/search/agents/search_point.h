// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/result/step_record.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// A schedule of the run that a searcher edits, and what the searcher believes it is worth.
struct SearchPoint {
    Schedule schedule;
    StepId step = 0;
    Speedup speedup{};  // against the start
};

}  // namespace cubinlab
