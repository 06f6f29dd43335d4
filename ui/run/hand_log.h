// SPDX-License-Identifier: GPL-3.0-or-later
// The run of agent `hand`: every hand edit, undo and redo included, with the SM model's result. The first
// edit opens it. All calls come from one thread in order, never from the GUI thread.
#pragma once
#include <memory>
#include <optional>

#include "core/gpu/protocol/workload.h"
#include "core/result/evaluator.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {

struct HandStep {
    std::optional<RunInfo> started;  // with the first edit
    StepRecord record;
};

class HandLog {
  public:
    HandLog(SessionHubPtr session, std::optional<Workload> workload)
        : session_(std::move(session)), workload_(std::move(workload)) {}
    ~HandLog();
    // If a step could not be logged (a full disk), the next one contains the edits of both.
    Result<HandStep> append(const Mutation& mutation, const Schedule& result);
    // After a crash: resumes `run` of the session (a new run for 0 or if it is not resumable), so that its
    // last schedule is `hand`. Empty: the log already ends there.
    Result<std::optional<HandStep>> resume(RunId run, const Schedule& hand);

  private:
    Status prepare();
    Result<RunInfo> begin();
    Result<Schedule> go_on_with(RunId run);
    Result<HandStep> log(const Mutation& mutation, const Schedule& result);

    SessionHubPtr session_;
    std::optional<Workload> workload_;
    std::unique_ptr<RunSink> sink_;
    std::unique_ptr<Evaluator> model_;
    std::optional<Schedule> original_;
    RunId run_ = 0;
    StepId last_ = 0;
    bool lost_ = false;  // the last step is not in the log
    RunSummary summary_;
};

}  // namespace cubinlab::ui
