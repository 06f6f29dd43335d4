// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/start_plan.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "core/search/starts/start_estimate.h"

namespace cubinlab {

Budget part_of(const Budget& whole, double share) {
    Budget out;
    if (whole.steps)
        out.steps = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(*whole.steps) * share));
    if (whole.time)
        out.time = std::max(std::chrono::milliseconds(100),
                            std::chrono::milliseconds(static_cast<std::int64_t>(
                                static_cast<double>(whole.time->count()) * share)));
    return out;
}

std::vector<RankedStart> ranked_starts(std::span<const StepRecord> steps, bool exact) {
    struct Tried {
        StepId step = 0;
        StartEstimate figure;
    };
    std::unordered_map<Hash128, Tried> tried;
    for (const StepRecord& record : steps) {
        if (record.repeated || record.mutation.start.empty()) continue;
        Tried& start = tried[record.schedule_hash];
        if (start.step == 0) start.step = record.step;
        start.figure.add(record.outcome);
    }
    std::vector<RankedStart> out;
    for (const auto& [code, start] : tried)
        if (!start.figure.failed() && !start.figure.empty())
            out.push_back({start.step, code, exact ? start.figure.mean() : start.figure.shrunken()});
    std::sort(out.begin(), out.end(), [](const RankedStart& a, const RankedStart& b) {
        return a.log_speedup != b.log_speedup ? a.log_speedup > b.log_speedup : a.step < b.step;
    });
    return out;
}

}  // namespace cubinlab
