// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/run_choice.h"

#include <fmt/format.h>

namespace cubinlab {

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
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if (run->steps > 0) return std::move(*run);
    if (runs.empty()) return fail(ErrorCode::NotFound, "the session has no run yet", session);
    return fail(ErrorCode::NotFound,
                fmt::format("none of its {} runs has a step, so there is no result", runs.size()), session);
}

}  // namespace cubinlab
