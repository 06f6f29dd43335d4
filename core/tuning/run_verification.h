// SPDX-License-Identifier: GPL-3.0-or-later
// `replay --verify`: rebuilds every schedule of a run, recomputes every figure, and checks every measured schedule for
// legality. Whether the samples themselves are true shows only when a schedule is measured again.
#pragma once
#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/evidence/stored_figures.h"
#include "core/store/session.h"

namespace cubinlab {

struct RunVerification {
    std::uint64_t rebuilt = 0;  // steps whose schedule has the logged hash
    std::uint64_t legal = 0;    // of these, schedules that were evaluated and that the checker proves legal
    FiguresChecked figures;
};
// Errors: of the first thing that does not hold: Corrupt where a schedule or a figure does not follow from the log,
// Refused where a schedule that ran is illegal; Cancelled.
Result<RunVerification> verify_run(SessionReader& reader, const KernelPtr& kernel, RunInfo run,
                                   std::stop_token stop);

}  // namespace cubinlab
