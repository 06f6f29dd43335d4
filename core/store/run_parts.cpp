// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/store/session.h"

namespace cubinlab {

std::size_t part_of(const RunInfo& run, StepId step) {
    const auto later = std::upper_bound(run.later_parts.begin(), run.later_parts.end(), step,
                                        [](StepId s, const RunPart& part) { return s < part.first; });
    return static_cast<std::size_t>(later - run.later_parts.begin());
}

const EvaluatorInfo& evaluator_of(const RunInfo& run, StepId step) {
    const std::size_t part = part_of(run, step);
    return part == 0 ? run.evaluator : run.later_parts[part - 1].evaluator;
}

Result<RunInfo> run_with_steps(SessionReader& reader, RunId id, const std::string& session) {
    if (id != 0) {
        auto run = reader.run(id);
        if (!run || run->steps > 0) return run;
        return fail(
            ErrorCode::BadInput,
            fmt::format("run {} ({}) ended before its first step, so it has no result", run->id, run->agent),
            session);
    }
    auto runs = TRY(reader.runs());
    const auto newest =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunInfo& run) { return run.steps > 0; });
    if (newest != runs.rend()) {
        const auto chosen = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& run) {
            return run.chosen && run.tuning == newest->tuning && run.steps > 0;
        });
        return std::move(chosen != runs.end() ? *chosen : *newest);
    }
    if (runs.empty()) return fail(ErrorCode::NotFound, "the session has no run yet", session);
    return fail(ErrorCode::NotFound,
                fmt::format("none of its {} runs has a step, so there is no result", runs.size()), session);
}

}  // namespace cubinlab
