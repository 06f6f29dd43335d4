// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab profile A [B]`: compares warp-state samples of Nsight Compute with the model, and A with B.
#pragma once
#include <string>
#include <vector>

#include "app/cli/base/common_options.h"

namespace cubinlab::cli {

struct ProfileOptions : Common {
    std::string a, b, workload, ncu, worker;
    std::vector<std::string> imports;
    int device = 0;
};

Result<int> run_profile_command(const ProfileOptions& options);

}  // namespace cubinlab::cli
