// SPDX-License-Identifier: GPL-3.0-or-later
// Warp stall samples per instruction from Nsight Compute: the text of
//
//   ncu --import REPORT.ncu-rep --page source --csv > profile.csv
//
// A "Kernel Name" row starts a table, the row with "Address" and "Source" names its columns, each further row
// is one instruction in address order. Column names changed over the years: samples are taken from
// "Warp Stall Sampling (All Samples)", "# Samples", "Sampling Data (All)" or the sum of the stall_* columns.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Rows of comma-separated values (RFC 4180: quotes, doubled quotes, line breaks inside quotes). Whatever
// comes, it is read to its end.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

struct ProfileLine {
    std::string source;  // SASS text
    double samples = 0;
    std::vector<std::pair<std::string, double>> reasons;  // "stall_long_sb" and its samples, most first
};

struct ProfileTable {
    std::string kernel;  // as the file names it; empty: it does not
    std::string column;  // where the samples were taken from
    std::vector<ProfileLine> lines;
};

// Every table of the text. Error: none is an ncu source page, with what was looked for.
Result<std::vector<ProfileTable>> parse_profile(std::string_view text);

struct Profile {
    std::string column;
    std::string schedule;               // name of the schedule that was profiled
    std::vector<ProfileLine> by_instr;  // by InstrId
    double total = 0, most = 0;         // samples of the kernel, of its hottest instruction
};

// The table that belongs to a schedule: as many lines, and each line's opcode is the instruction's. Error:
// the first line that differs.
Result<Profile> match_profile(const ProfileTable& table, const Schedule& schedule);

using ProfilePtr = std::shared_ptr<const Profile>;

}  // namespace cubinlab
