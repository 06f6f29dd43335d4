// SPDX-License-Identifier: GPL-3.0-or-later
// Good schedules of a kernel that were found before, for a race to begin from (core/search/agents/race_schedules.h): in sessions the
// best of every run and of the hand edits, in cubins the kernel itself. The same for window and command line.
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

struct EarlierSchedules {
    std::vector<Schedule> schedules;    // other than the start and than each other; at most kMostSchedules
    std::vector<std::string> left_out;  // "old.db, run 3: it is not legal: ..."
};

// `first` (a hand schedule), then what `sources` hold, each a session, a file with the kernel in it, or a folder of such (its
// *.db and *.cubin): cubins, then runs of sessions, measured before modelled ones, the fastest by their logs first. Left
// out is what may_race() refuses, and of a folder what cannot be read; files for other kernels are skipped there, and
// an error where it is named itself. Errors: NotFound, BadUse, those of reading a named file, Cancelled.
Result<EarlierSchedules> earlier_schedules(const SearchContext& context, std::vector<Schedule> first,
                                           const std::vector<std::filesystem::path>& sources,
                                           const std::stop_token& stop);

// The settings of a run whose race begins from them, and what to tell of it.
struct RaceSchedules {
    std::string settings_json;
    std::size_t count = 0;  // beside the run's own start
    std::vector<std::string> left_out;
};
Result<RaceSchedules> race_from_earlier(const SearchContext& context, std::vector<Schedule> first,
                                     const std::vector<std::filesystem::path>& sources,
                                     const std::stop_token& stop);

}  // namespace cubinlab
