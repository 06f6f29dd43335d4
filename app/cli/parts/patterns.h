// SPDX-License-Identifier: GPL-3.0-or-later
// `replay --patterns`: the accepted steps by their edits.
#pragma once
#include <cstdint>
#include <string>

#include "app/cli/base/common_options.h"
#include "core/base/result.h"

namespace cubinlab::cli {

struct ReplayOptions : Common {
    std::string session, step = "best", out;
    std::int64_t run = 0;
    bool verify = false;
    bool patterns = false;
    std::string scope = "run";
    bool force = false;
};

Result<int> print_patterns(const ReplayOptions& options);

}  // namespace cubinlab::cli
