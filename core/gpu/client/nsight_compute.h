// SPDX-License-Identifier: GPL-3.0-or-later
// Runs our worker under Nsight Compute and converts its reports into source pages. Uses only its command
// line.
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/gpu/client/profile_csv.h"

namespace cubinlab {

// `wish`: a path; empty: search as find_in_toolkits() does. Errors: BadUse, Missing (not found, with advice).
Result<std::filesystem::path> find_ncu(const std::string& wish);

struct ProfileRequest {
    std::filesystem::path ncu;
    std::string worker;  // command of a local worker; empty: the default one
    std::filesystem::path cubin, workload;
    std::string kernel;  // symbol
    int device = 0;
};

// Profiles one launch after three warm-up launches: source counters and warp states. Returns the source page.
// Errors: NoGpu (no permission for performance counters, no GPU; the profiler's message), Worker (it failed).
Result<std::string> profile_launch(const ProfileRequest& request, std::stop_token stop);

// The source page of a report; a .csv file is returned unchanged.
Result<std::string> source_page_of(const std::filesystem::path& file, const std::string& ncu,
                                   std::stop_token stop);

}  // namespace cubinlab
