// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a figure stands beside the code that it is of. What looked at a schedule says which code it had before it
// (Outcome::code_hash); the log says which one the step has. A figure that was moved to another step, or a step whose edit was
// changed, shows here, whatever else fits together.
#pragma once
#include <string>
#include <vector>

#include "core/store/session.h"

namespace cubinlab {

inline bool names_its_code(const Outcome& outcome) {
    return outcome.code_hash != Hash128{};
}

// `words`: Schedule::hash() of the schedule that the outcome is said to be of; `which`: "run 1, step 7". Errors: Corrupt.
Status check_measured_code(const Outcome& outcome, const Hash128& words, const std::string& which);
// A step's, and the measurements' beside the log (`step` 0: of every step), each against the words of its step.
Status check_measured_code(const RunInfo& run, const StepRecord& record);
Status check_measured_code(SessionReader& reader, const RunInfo& run,
                           const std::vector<MeasurementRecord>& records, StepId step);

}  // namespace cubinlab
