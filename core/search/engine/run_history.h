// SPDX-License-Identifier: GPL-3.0-or-later
// The log of an interrupted run, read page by page for resuming, so that memory is bounded.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/result/step_record.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

class RunHistory {
  public:
    virtual ~RunHistory() = default;
    virtual StepId last() const = 0;  // 0: no logged step
    // Steps (after, after + count] in order; count 0: all.
    virtual Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) = 0;
    // Rebuilt, with the hash checked but not its legality. Step 0: the start of the run.
    virtual Result<Schedule> schedule_at(StepId step) = 0;
};

// A log in memory.
class LoggedSteps final : public RunHistory {
  public:
    // Both must outlive the object.
    LoggedSteps(const Schedule& start, const std::vector<StepRecord>& steps) : start_(start), steps_(steps) {}
    StepId last() const override { return steps_.empty() ? 0 : steps_.back().step; }
    Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) override;
    Result<Schedule> schedule_at(StepId step) override;

  private:
    const StepRecord* find(StepId step) const;
    const Schedule& start_;
    const std::vector<StepRecord>& steps_;
};

}  // namespace cubinlab
