// SPDX-License-Identifier: GPL-3.0-or-later
// Warp stall samples per instruction from Nsight Compute: the text of
//
//   ncu --import REPORT.ncu-rep --page source --csv > profile.csv
//
// A "Kernel Name" row starts a table, the row with "Address" and "Source" has the column names, each
// following row is one instruction in address order. Column names depend on the version: samples come from
// "Warp Stall Sampling (All Samples)", "# Samples", "Sampling Data (All)" or the sum of the stall_* columns.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Rows of comma-separated values (RFC 4180: quotes, doubled quotes, line breaks inside quotes). Accepts any
// text.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

struct ProfileLine {
    std::string source;  // SASS text
    double samples = 0;
    std::vector<std::pair<std::string, double>> reasons;  // "stall_long_sb" with its samples, descending
};

struct ProfileTable {
    std::string kernel;  // name in the file; empty: none
    std::string column;  // source of the samples
    std::vector<ProfileLine> lines;
};

// All tables of the text. Error: no table is an ncu source page; the message names the expected columns.
Result<std::vector<ProfileTable>> parse_profile(std::string_view text);

struct Profile {
    std::string column;
    std::string schedule;               // name of the profiled schedule
    std::vector<ProfileLine> by_instr;  // by InstrId
    double total = 0, most = 0;         // samples of the kernel and of its hottest instruction
};

// Matches a table with a schedule: the same number of lines and the same opcode in each line. Error: the
// first line that differs.
Result<Profile> match_profile(const ProfileTable& table, const Schedule& schedule);

using ProfilePtr = std::shared_ptr<const Profile>;

}  // namespace cubinlab
