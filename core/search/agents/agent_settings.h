// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of `ppo`, here rather than in the agent module so that they can be listed where LibTorch is
// missing.
#pragma once
#include <vector>

#include "core/search/agents/searcher_settings.h"

namespace cubinlab {

const std::vector<SettingRange>& edit_ppo_settings();

}  // namespace cubinlab
