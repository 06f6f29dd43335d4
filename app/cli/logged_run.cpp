// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logged_run.h"

#include "core/claims/run_choice.h"

namespace cubinlab::cli {

Result<LoggedRun> open_logged_run(const std::string& session, RunId id) {
    auto reader = SessionReader::open(session);
    if (!reader) return fail(reader.error());
    auto kernel = (*reader)->kernel();
    if (!kernel) return fail(kernel.error());
    auto run = run_with_steps(**reader, id, session);
    if (!run) return fail(run.error());
    return LoggedRun{*reader, *kernel, *run};
}

}  // namespace cubinlab::cli
