// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from other rows of a session, without its agent and without what judged it: the columns of a step that
// repeat its edit, the counters of a run, its start, its keyframes and parts, and what the rows of other tables refer to.
#pragma once
#include "core/schedule/schedule.h"
#include "core/store/deviations.h"
#include "core/store/rebuilder.h"
#include "core/store/session.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// The columns of the steps of one run that repeat what their edits say, row by row beside a reading of the steps.
class EditColumns {
  public:
    static Result<EditColumns> create(const sqlite::Database& database, RunId run);
    // Of the next step, which `record` is. `result`: its schedule.
    Status compare(const StepRecord& record, Rebuilder& rebuilder, const Schedule& result, Deviations& out);

  private:
    sqlite::Statement rows_;
    RunId run_ = 0;
};

// Everything of the run but its steps, and of the tables that all runs share. `last`: its last step.
Status check_run_rows(const sqlite::Database& database, const KernelPtr& kernel, const RunInfo& run,
                      StepId last, Deviations& out);

}  // namespace cubinlab
