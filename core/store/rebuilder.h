// SPDX-License-Identifier: GPL-3.0-or-later
// The schedule of any step of a run: from the nearest keyframe above it, mutation by mutation. Recently built
// schedules are kept, so the usual next request (the child of a recent step) is one mutation.
#pragma once
#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

#include "core/schedule/mutation.h"
#include "core/store/sqlite.h"
#include "core/store/start_kernels.h"

namespace cubinlab {

class Rebuilder {
  public:
    // `database` outlives the rebuilder.
    static Result<Rebuilder> create(const sqlite::Database& database, StartKernels starts, RunId run);

    // Hash of the keyframe it starts from is checked; the step's own hash is the caller's to compare.
    Result<Schedule> at(StepId step);
    // The schedule of a step that is not logged yet. Errors: Refused (an edit does not apply), NotFound.
    Result<Schedule> after(StepId parent, const Mutation& mutation, const Hash128& code);
    void put(StepId step, Schedule schedule);

  private:
    using Entry = std::pair<StepId, Schedule>;
    const Schedule* cached(StepId step);
    Result<Schedule> keyframe(StepId step);  // NotFound: no keyframe there

    explicit Rebuilder(StartKernels starts) : starts_(std::move(starts)) {}

    StartKernels starts_;
    KernelPtr kernel_;  // that the run searches
    RunId run_ = 0;
    std::size_t capacity_ = 0;
    sqlite::Statement find_keyframe_;
    sqlite::Statement find_edit_;
    std::list<Entry> recent_;  // newest first
    std::unordered_map<StepId, std::list<Entry>::iterator> index_;
};

}  // namespace cubinlab
