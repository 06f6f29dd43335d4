// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/kept_steps.h"

#include <fmt/format.h>

#include "core/store/session.h"

namespace cubinlab {

Error with_what_is_kept(Error error, const std::filesystem::path& session, RunId run) {
    if (run == 0) {
        error.what += "; no step of this run is kept";
        return error;
    }
    // Moved, removed or replaced: what lies there now is another file.
    if (error.code == ErrorCode::NotFound) return error;
    auto reader = SessionReader::open(session);
    if (!reader) return error;
    const auto info = (*reader)->run(run);
    if (!info) return error;
    if (info->steps == 0)
        error.what += fmt::format("; no step of run {} is kept", run);
    else if (info->best_step == 0)
        error.what +=
            fmt::format("; run {} keeps its steps up to {}, none of them is better", run, info->steps);
    else
        error.what += fmt::format("; run {} keeps its steps up to {}, the best of them is step {} ({})", run,
                                  info->steps, info->best_step, percent_text(info->best_log_speedup));
    return error;
}

}  // namespace cubinlab
