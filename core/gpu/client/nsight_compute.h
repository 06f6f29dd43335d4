// SPDX-License-Identifier: GPL-3.0-or-later
// Runs Nsight Compute around our worker, and turns its reports into source pages. Command line only: nothing
// of the profiler is linked or loaded.
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/gpu/client/profile_csv.h"

namespace cubinlab {

// `wish`: a path, or empty: as find_in_toolkits(). Errors: BadUse, Missing (none, and what to do).
Result<std::filesystem::path> find_ncu(const std::string& wish);

struct ProfileRequest {
    std::filesystem::path ncu;
    std::string worker;  // command of a worker of this machine; empty: the default one
    std::filesystem::path cubin, workload;
    std::string kernel;  // its symbol
    int device = 0;
};

// Profiles one launch after three that warm up: source counters and warp states. The text of its source page.
// Errors: NoGpu (no permission for performance counters, no GPU; the profiler's words), Worker (it failed).
Result<std::string> profile_launch(const ProfileRequest& request, std::stop_token stop);

// A report's source page; a .csv is read as it is.
Result<std::string> source_page_of(const std::filesystem::path& file, const std::string& ncu,
                                   std::stop_token stop);

}  // namespace cubinlab
