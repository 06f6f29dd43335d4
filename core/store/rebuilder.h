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

namespace cubinlab {

class Rebuilder {
  public:
    // `database` outlives the rebuilder.
    static Result<Rebuilder> create(const sqlite::Database& database, KernelPtr kernel, RunId run);

    // Hash of the keyframe it starts from is checked; the step's own hash is the caller's to compare.
    Result<Schedule> at(StepId step);
    void put(StepId step, Schedule schedule);

  private:
    using Entry = std::pair<StepId, Schedule>;
    const Schedule* cached(StepId step);
    Result<Schedule> keyframe(StepId step);  // NotFound: no keyframe there

    KernelPtr kernel_;
    RunId run_ = 0;
    std::size_t capacity_ = 0;
    sqlite::Statement find_keyframe_;
    sqlite::Statement find_edit_;
    std::list<Entry> recent_;  // newest first
    std::unordered_map<StepId, std::list<Entry>::iterator> index_;
};

}  // namespace cubinlab
