// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/session_runs.h"

namespace cubinlab {

Status each_run(const std::filesystem::path& session, const TakeRun& take) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto runs = TRY(reader->runs());
    for (const RunInfo& run : runs) {
        if (run.steps == 0) continue;
        if (auto taken = take(*reader, kernel, run); !taken) {
            Error error = taken.error();
            error.where = error.where.empty() ? session.string() : session.string() + ", " + error.where;
            return fail(std::move(error));
        }
    }
    return {};
}

}  // namespace cubinlab
