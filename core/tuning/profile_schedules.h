// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of one or two schedules of a kernel, next to the model's explanation and to each other: what
// `cubinlab profile` and the window's profile show.
#pragma once
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/tuning/profile_change.h"
#include "core/tuning/profile_report.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

struct ScheduleFile {
    Schedule schedule;
    std::filesystem::path cubin;  // of this schedule
};

struct ProfilerSettings {
    std::string ncu = {};     // empty: found as find_ncu does
    std::string worker = {};  // command of a worker of this machine; empty: the default one
    int device = 0;
};

// Measured here, one launch each. Errors: those of find_ncu and profile_launch, BadInput.
Result<std::vector<Profile>> profile_files(const std::vector<ScheduleFile>& files,
                                           const std::filesystem::path& workload,
                                           const ProfilerSettings& settings, std::stop_token stop);
// The same for schedules that are in no file: `candidate` is proven legal before it is written, into a temporary folder.
Result<std::vector<Profile>> profile_schedules(const Schedule& original,
                                               const std::optional<Schedule>& candidate,
                                               const Workload& workload, const ProfilerSettings& settings,
                                               std::stop_token stop);

struct ProfiledSchedule {
    Schedule schedule;
    Profile profile;
    Explanation explanation;
};

struct ProfiledSchedules {
    std::vector<ProfiledSchedule> sides;  // one or two
    ProfileChange change;                 // from the first to the last
};
ProfiledSchedules explain_profiles(const std::vector<Schedule>& schedules, std::vector<Profile> profiles,
                                   const std::optional<Workload>& workload);

}  // namespace cubinlab
