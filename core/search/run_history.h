// SPDX-License-Identifier: GPL-3.0-or-later
// The log of an interrupted run as resuming reads it: page by page, so that a run of millions of steps takes no
// more memory than a short one.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/run/run_sink.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

class RunHistory {
  public:
    virtual ~RunHistory() = default;
    virtual StepId last() const = 0;  // 0: no step is logged
    // Steps (after, after + count] in order; count 0: all.
    virtual Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) = 0;
    // Those of the list that the log has, in that order, without raw samples.
    virtual Result<std::vector<StepRecord>> steps_at(std::span<const StepId> wanted) = 0;
    // Rebuilt, its hash checked; 0: the run's start. Whether it is legal is the caller's to ask.
    virtual Result<Schedule> schedule_at(StepId step) = 0;
    // The words of steps 1 to `last`, in order.
    virtual Status each_hash(StepId last, const std::function<void(const Hash128&)>& take) = 0;
    virtual Result<std::optional<SavedState>> state() = 0;
};

// A log in memory, without a state.
class LoggedSteps final : public RunHistory {
  public:
    // Both outlive it.
    LoggedSteps(const Schedule& start, const std::vector<StepRecord>& steps) : start_(start), steps_(steps) {}
    StepId last() const override { return steps_.empty() ? 0 : steps_.back().step; }
    Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) override;
    Result<std::vector<StepRecord>> steps_at(std::span<const StepId> wanted) override;
    Result<Schedule> schedule_at(StepId step) override;
    Status each_hash(StepId last, const std::function<void(const Hash128&)>& take) override;
    Result<std::optional<SavedState>> state() override { return std::optional<SavedState>(state_); }

    void set_state(SavedState state) { state_ = std::move(state); }

  private:
    const StepRecord* find(StepId step) const;
    const Schedule& start_;
    const std::vector<StepRecord>& steps_;
    std::optional<SavedState> state_;
};

}  // namespace cubinlab
