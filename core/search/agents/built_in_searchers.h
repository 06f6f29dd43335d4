// SPDX-License-Identifier: GPL-3.0-or-later
// The searchers that do not need LibTorch.
#pragma once
#include <memory>
#include <vector>

#include "core/search/engine/searcher.h"
#include "core/search/agents/searcher_settings.h"

namespace cubinlab {

// Each NAME_searcher.cpp defines built_in_NAME; CMakeLists.txt lists the names in menu order.
struct BuiltInSearcher {
    const char* name;   // as --agent takes it
    const char* title;  // as the window shows it
    const char* about;  // one sentence
    const std::vector<SettingRange>& (*settings)();
    std::unique_ptr<Searcher> (*make)(const SearchContext&, const Settings&);
    bool takes_schedules = false;  // the setting "schedules" (core/search/agents/race_schedules.h)
};

// The reward of a step: gain over its parent schedule in percent; -1 for a failure, as in the paper.
double reward_of(const Outcome& outcome, double parent_log_speedup);

}  // namespace cubinlab
