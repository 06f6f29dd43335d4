// SPDX-License-Identifier: GPL-3.0-or-later
// The run of agent `hand`: every hand edit, undo and redo included, with the SM model's result. The first
// edit opens it. All calls come from one thread in order, never from the GUI thread.
#pragma once
#include <memory>
#include <optional>

#include "core/schedule/schedule.h"
#include "ui/document/compared_pair.h"
#include "ui/document/launch_model.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {

struct HandStep {
    std::optional<RunInfo> started;  // with the first edit
    StepRecord record;
};

class HandLog {
  public:
    // `kernel`: whose schedule is edited. `begins`: the step of a run over starts that has it; {}: it is the session's.
    HandLog(SessionHubPtr session, LaunchModelPtr model, const KernelPtr& kernel, StepRef begins)
        : session_(std::move(session)), model_(std::move(model)), original_(kernel), begins_(begins) {}
    ~HandLog();
    // If a step could not be logged (a full disk), the next one contains the edits of both.
    Result<HandStep> append(const Mutation& mutation, const Schedule& result);
    // After a crash: resumes `run` of the session (a new run for 0 or if it is not resumable), so that its
    // last schedule is `hand`. Empty: the log already ends there.
    Result<std::optional<HandStep>> resume(RunId run, const Schedule& hand);

  private:
    Result<RunInfo> begin();
    Result<Schedule> continue_run(RunId run);
    Result<std::optional<Schedule>> open_run(std::optional<RunInfo>& started);

    SessionHubPtr session_;
    LaunchModelPtr model_;
    std::unique_ptr<RunSink> sink_;
    Schedule original_;
    StepRef begins_;
    RunId run_ = 0;
    StepId last_ = 0;
    bool lost_ = false;  // the last step is not in the log
    RunSummary summary_;
};

}  // namespace cubinlab::ui
