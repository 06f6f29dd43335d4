// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/run_history.h"

#include <algorithm>
#include <string>

namespace cubinlab {

const StepRecord* LoggedSteps::find(StepId step) const {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), step,
                                     [](const StepRecord& r, StepId s) { return r.step < s; });
    return at != steps_.end() && at->step == step ? &*at : nullptr;
}

Result<std::vector<StepRecord>> LoggedSteps::steps(StepId after, std::size_t count) {
    const auto from = std::upper_bound(steps_.begin(), steps_.end(), after,
                                       [](StepId s, const StepRecord& r) { return s < r.step; });
    const auto there = static_cast<std::size_t>(steps_.end() - from);
    return std::vector<StepRecord>(
        from, from + static_cast<std::ptrdiff_t>(count == 0 ? there : std::min(there, count)));
}

Result<Schedule> LoggedSteps::schedule_at(StepId step) {
    std::vector<const StepRecord*> path;
    for (StepId at = step; at != 0;) {
        const StepRecord* record = find(at);
        if (record == nullptr || record->parent >= at || record->parent < 0)
            return fail(ErrorCode::NotFound, "the log has no step " + std::to_string(at));
        path.push_back(record);
        at = record->parent;
    }
    Schedule schedule = start_;
    for (auto record = path.rbegin(); record != path.rend(); ++record)
        TRY((*record)->mutation.apply(schedule));
    if (!path.empty() && schedule.hash() != path.front()->schedule_hash)
        return fail(ErrorCode::Corrupt, "rebuilds to another schedule than was logged",
                    "step " + std::to_string(step));
    return schedule;
}

}  // namespace cubinlab
