// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab campaign FOLDER`: tunes all captured kernels of a folder, by their share of the program's time.
#pragma once
#include <string>

#include "app/cli/base/common_options.h"
#include "core/search/engine/default_agent.h"

namespace cubinlab::cli {

struct CampaignOptions : Common {
    std::string folder, out, budget, agent = kDefaultAgent, evaluator = "auto", part;
    std::uint64_t seed = 1;
    bool report = false;  // only show the state
    GpuOptions gpu;
};

Result<int> run_campaign_command(const CampaignOptions& options);

}  // namespace cubinlab::cli
