// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that a race may begin from beside the run's own start: winners of earlier runs, schedules made by hand. They
// are the agent's setting "starts", each as the mutation that makes it of the run's start, so that a run that goes on, is
// replayed or is told of has them from its own row:
//
//   {"turn": 300, "starts": ["A12>40;C7:000fe4000:000fe8000", "B9>3"]}
//
// An agent measures them first, like any proposal.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

inline constexpr std::size_t kMostStarts = 8;

// Why this schedule is no start of a run with these locks: illegal by today's rules, or it edits what is locked or out of
// scope. Refused.
Status may_start(const SearchContext& context, const Schedule& schedule);

// The settings with "starts" in them, in place of what was there; without any they are as given.
Result<std::string> with_starts(std::string_view settings_json, const Schedule& start,
                                const std::vector<Schedule>& starts);

// Takes "starts" out of `context.settings_json`, into `context.starts`. BadUse: not an array of mutations of the start,
// too many, or one that may_start() refuses. `takes_any`: the agent has such a setting.
Status take_starts(SearchContext& context, bool takes_any);

// For people: "starts" is told by how many there are. Anything that is no JSON object is as given.
std::string settings_in_short(std::string_view settings_json);

}  // namespace cubinlab
