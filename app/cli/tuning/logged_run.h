// SPDX-License-Identifier: GPL-3.0-or-later
// What every command that tells of a run of a session begins with.
#pragma once
#include <memory>
#include <string>

#include "core/store/session.h"

namespace cubinlab::cli {

struct LoggedRun {
    std::shared_ptr<SessionReader> reader;
    KernelPtr kernel;
    RunInfo run;
};

// `id` 0: the newest run with a step.
Result<LoggedRun> open_logged_run(const std::string& session, RunId id);

}  // namespace cubinlab::cli
