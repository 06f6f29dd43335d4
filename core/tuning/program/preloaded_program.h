// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program with libcubinlab-inject.so in front of the CUDA driver and collects what each of its processes says
// of it (resources/docs/inject.md).
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

// Beside this program, in ../lib or ../lib/cubinlab; CUBINLAB_INJECT overrides. Errors: Missing.
Result<std::filesystem::path> inject_library();

struct PreloadedRun {
    int exit_code = 0;                      // the program's own; 128 + signal where a signal ended it
    std::vector<nlohmann::json> processes;  // result.PID.json of each process that used CUDA
};

struct PreloadedProgram {
    std::vector<std::string> command;
    std::vector<std::pair<std::string, std::string>> environment;  // of the library, on top of ours
    std::filesystem::path out;                                     // folder for results, which exists
    bool output_to_errors = false;      // standard output goes where standard error goes
    std::filesystem::path folder = {};  // working folder; empty: that of this process
    // Takes all that it prints; a stop request then ends it and all that it started. None: its standard streams are ours,
    // and signals that end us are passed on.
    std::function<void(std::string_view)> on_output = {};
};

// BadUse, which says what to do `instead`: LD_PRELOAD could not name it.
Status check_preloadable(const std::filesystem::path& path, const std::string& instead);
// Errors: BadUse (cannot be started), Missing, Io, Cancelled.
Result<PreloadedRun> run_preloaded(const PreloadedProgram& program, std::stop_token stop = {});

// For a program in which no process used CUDA through the library: why the loader does not load the library into it, or what
// else to check.
std::string why_unseen(const std::vector<std::string>& command);

// Sums over processes, "replaced 1 of 14 kernels, 3,012 launches".
struct ReplacedCount {
    std::uint64_t replaced = 0, kernels = 0, launches = 0, recorded = 0, graph_runs = 0, faults = 0;
    std::size_t processes = 0, without = 0;  // that used CUDA; of these, those that replaced nothing
};
ReplacedCount count_replaced(const PreloadedRun& run);

}  // namespace cubinlab
