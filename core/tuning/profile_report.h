// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of Nsight Compute beside what the model says. Those of two schedules beside each other:
// core/tuning/profile_change.h.
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/profile_csv.h"
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

// The table of the text that is a profile of this schedule: by kernel name where the file has one, then by
// the opcodes in their order. `skip`: so many that fit are passed over (a file of both schedules of one
// order).
Result<Profile> profile_of(std::string_view text, const Schedule& schedule, std::size_t skip = 0);

}  // namespace cubinlab
