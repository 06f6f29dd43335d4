// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a run of a session, for every command that prints one.
#pragma once
#include <memory>
#include <string>

#include "core/store/session.h"

namespace cubinlab::cli {

struct LoggedRun {
    std::shared_ptr<SessionReader> reader;
    KernelPtr kernel;  // that the run searches
    RunInfo run;
};

// `id` 0: the newest run with a step.
inline Result<LoggedRun> open_logged_run(const std::string& session, RunId id) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto run = TRY(run_with_steps(*reader, id, session));
    auto searched = TRY(reader->run_kernel(kernel, run.id));
    return LoggedRun{reader, searched, run};
}

}  // namespace cubinlab::cli
