// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that run another program, given after --: cubinlab run, cubinlab capture. They return the exit
// codes of app/cli/command.h, or else the program's own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/base/common_options.h"

namespace cubinlab::cli {

struct CaptureCommandOptions : Common {
    std::string launch = "1", out, tolerance;
    std::uint64_t limit = 4096;  // MiB
    bool list = false, force = false, check = false;
    GpuOptions gpu;
    std::vector<std::string> program;  // after --
};
struct RunOptions : Common {
    std::vector<std::string> with, originals;
    std::string deploy;  // write a folder of schedules with the library instead of running
    bool require = false, trial = false, force = false;
    bool accept_slower = false;  // accept a kernel whose stored figures say SLOWER, in all or in a shape
    std::vector<std::string> program;  // after --
};

Result<int> run_capture(const CaptureCommandOptions& options);
Result<int> run_run(const RunOptions& options);

}  // namespace cubinlab::cli
