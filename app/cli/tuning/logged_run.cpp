// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/logged_run.h"

#include "core/store/session.h"

namespace cubinlab::cli {

Result<LoggedRun> open_logged_run(const std::string& session, RunId id) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto run = TRY(run_with_steps(*reader, id, session));
    return LoggedRun{reader, kernel, run};
}

}  // namespace cubinlab::cli
