// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab fit FILE...`: the ensemble model's parameters from measured schedules.
#pragma once
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "core/jobs/model_fit.h"

namespace cubinlab::cli {

struct FitOptions : Common {
    std::vector<std::string> files;  // rank files, sessions
    std::string cubins = "samples", parameters, out;
    FitSettings fit;
    bool score_only = false, force = false;
};

Result<int> run_fit(const FitOptions& options);

}  // namespace cubinlab::cli
