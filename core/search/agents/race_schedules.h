// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that a race also begins from: winners of earlier runs, hand schedules. They are the agent's setting "schedules",
// each as the mutation from the start of the run, so that the row of the run has them for resuming, replaying
// and reports:
//
//   {"turn": 300, "schedules": ["A12>40;C7:000fe4000:000fe8000", "B9>3"]}
//
// An agent measures them first, like any proposal.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

inline constexpr std::size_t kMostSchedules = 8;

// Error: Refused if the schedule is illegal or edits locked instructions or code out of scope.
Status may_race(const SearchContext& context, const Schedule& schedule);

// The settings with "schedules" replaced; unchanged if `schedules` is empty.
Result<std::string> with_schedules(std::string_view settings_json, const Schedule& start,
                                const std::vector<Schedule>& schedules);

// Moves "schedules" (in logs of version 0.1 "starts") from `context.settings_json` to `context.schedules`. Errors: BadUse (not an array of mutations
// of the start, too many, or refused by may_race()). `takes_any`: the agent has this setting.
Status take_schedules(SearchContext& context, bool takes_any);

// The settings for people: "schedules" becomes their number. Text that is not a JSON object is unchanged.
std::string settings_in_short(std::string_view settings_json);

}  // namespace cubinlab
