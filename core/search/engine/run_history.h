// SPDX-License-Identifier: GPL-3.0-or-later
// The log of an interrupted run as resuming reads it: page by page, so that a run of millions of steps takes no
// more memory than a short one.
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
    virtual StepId last() const = 0;  // 0: no step is logged
    // Steps (after, after + count] in order; count 0: all.
    virtual Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) = 0;
    // Rebuilt, its hash checked; 0: the run's start. Whether it is legal is the caller's to ask.
    virtual Result<Schedule> schedule_at(StepId step) = 0;
};

// A log in memory.
class LoggedSteps final : public RunHistory {
  public:
    // Both outlive it.
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
