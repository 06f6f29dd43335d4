// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps of a run carry its winner's gain: minimises the best schedule (core/tuning/minimal_schedule.h) and finds the
// steps on the winner's line of descent that made the edits which were kept. For a job thread: with a GPU it measures.
#pragma once
#include <stop_token>
#include <vector>

#include "core/tuning/minimal_schedule.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {

struct MinimisedRun : MinimalSchedule {
    std::vector<StepId> carrying;  // ascending
    std::vector<StepId> lineage;   // of the best step, ascending
};

Result<MinimisedRun> minimise_run(SessionHub& session, RunId run, const std::optional<Workload>& workload,
                                  const GpuSettings& gpu, std::stop_token stop);

// Steps from the run's start to `best` by parents; records of the whole run in order.
struct Descent {
    std::vector<StepId> lineage, carrying;
};
Descent descent_of(const std::vector<StepId>& parent, const std::vector<bool>& touches, StepId best);

}  // namespace cubinlab::ui
