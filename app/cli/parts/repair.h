// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `check`, and `check --repair`, which writes the nearest legal schedule.
#pragma once
#include <string>

#include "app/cli/base/common_options.h"
#include "core/base/result.h"

namespace cubinlab::cli {

struct CheckOptions : Common {
    std::string file, against;
    std::string repair;      // write the nearest legal schedule here
    std::string assertions;  // rules to check instead (app/cli/parts/assertions.h)
    bool force = false;
};

Result<int> run_repair(const CheckOptions& options);

}  // namespace cubinlab::cli
