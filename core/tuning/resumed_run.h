// SPDX-License-Identifier: GPL-3.0-or-later
// A logged run that TuneSession resumes. It keeps its agent, settings, seed, start, locks and number of proposals in flight.
// The inputs of the evaluator come from its own seed, and the evaluator must be of the same kind as before. The budget is
// what may be spent from here on.
//
//   auto resumed = open_resumed_run(session, kernel, 0, stop);            // 0: the newest that can be resumed
//   auto choice = choose_evaluator(kernel, workload, wish, resumed->gpu(settings), stop);
//   if (auto same = resumed->judged_alike(choice->evaluator->info(), workload); !same) ...
//   TuneRun run(context, resumed->settings(budget), ...);
//   run.resume_from(*resumed->history);
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/protocol/workload.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"

namespace cubinlab {

// A log in a session file, read page by page. `reader` and `run` are copied or shared; the kernel's schedules are
// rebuilt by the reader.
std::unique_ptr<RunHistory> history_of(std::shared_ptr<SessionReader> reader, const RunInfo& run,
                                       KernelPtr kernel);

struct ResumedRun {
    RunInfo run;
    Schedule start;
    std::unique_ptr<RunHistory> history;
    std::uint64_t confirmations = 0;  // made before: the error probability is spent over all of them
    std::string workload{};           // its JSON; empty: it was given none

    StepId last() const { return history->last(); }
    // `more`: what may be spent from here on.
    RunSettings settings(Budget more) const;
    GpuSettings gpu(GpuSettings given) const;
    // BadUse: another kind of evaluator, cycles of other launch settings, or a GPU's figures of other launches.
    Status judged_alike(const EvaluatorInfo& now, const std::optional<Workload>& with) const;
};

// Only runs of an agent can be resumed, and only if the figures of their best steps follow from the samples: the end of the
// run claims them again. `id` 0: the newest run of an agent that has steps.
Result<ResumedRun> open_resumed_run(const std::filesystem::path& session, const KernelPtr& kernel, RunId id,
                                    std::stop_token stop);

}  // namespace cubinlab
