// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of Nsight Compute beside what the model says, and those of two schedules beside each
// other.
#pragma once
#include <string>
#include <vector>

#include "core/measure/profile_csv.h"
#include "core/model/explanation.h"

namespace cubinlab {

// Shares of all samples, and of all cycles of the model's whole path.
struct ReasonShare {
    std::string name;      // as an explanation has it; "not modelled" for what the model has no rule for
    std::string measured;  // the profiler's reasons, "long_sb, short_sb"
    double samples = 0, cycles = 0;
};
std::vector<ReasonShare> reasons_beside(const Profile& profile, const Explanation& explanation);

struct LineAgreement {
    double correlation = 0;  // of the lines' shares (Pearson); 0 where one side is all alike
    int common_of_ten = 0;   // of the ten lines with most samples, those among the ten with most cycles
};
LineAgreement lines_agree(const Profile& profile, const Explanation& explanation);

struct LineSamples {
    InstrId instr = 0;
    double a = 0, b = 0;
    std::string reason;  // that changed most, "stall_wait"
    double reason_a = 0, reason_b = 0;
    std::vector<std::string> edits;  // those of the difference that are of this instruction
};
// Every line with samples, largest change first.
std::vector<LineSamples> compare_profiles(const Schedule& a, const Profile& of_a, const Schedule& b,
                                          const Profile& of_b);

// The table of the text that is a profile of this schedule: by kernel name where the file has one, then by
// the opcodes in their order. `skip`: so many that fit are passed over (a file of both schedules of one
// order).
Result<Profile> profile_of(std::string_view text, const Schedule& schedule, std::size_t skip = 0);

}  // namespace cubinlab
