// SPDX-License-Identifier: GPL-3.0-or-later
// What the source of a command needs. The source NAME.cpp in kernel/, program/ or tuning/ is all of a command (or of two
// that share their code): its options, its function, and add_NAME, which the list of commands calls (app/CMakeLists.txt).
//
//   void add_info(CommandTable& table) {
//       auto [sub, options] = table.add("info", "kernels, architecture", run_info);
//       sub->add_option("FILE", options.file, kAnyFile)->required();
//   }
//
// The function prints text or exactly one JSON document on standard output, and returns the exit code: 0 ok, 1 found
// problems, 2 bad use or bad input, 3 no GPU. CommandTable prints the error that it returns.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/base/command_table.h"
#include "app/cli/base/common_options.h"
#include "app/cli/base/option_checks.h"

namespace cubinlab::cli {

inline constexpr const char* kAnyFile =
    "cubin, fatbin, program, library, object file, Triton cache or cache entry";

void add_session_run(CLI::App* app, std::string& session, std::int64_t& run);
std::string agent_names();  // "auto, greedy ..."
// Checked before a session or a folder is touched. The LibTorch module checks the names that start with ppo.
Check known_agent();

}  // namespace cubinlab::cli
