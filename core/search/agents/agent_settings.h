// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of `ppo`. Not in the agent module, so that they can be listed without LibTorch.
#pragma once
#include <vector>

#include "core/search/agents/searcher_settings.h"

namespace cubinlab {

const std::vector<SettingRange>& edit_ppo_settings();

}  // namespace cubinlab
