// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/profile_schedules.h"

#include <utility>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/evidence/export_cubin.h"
#include "core/tuning/explain_settings.h"
#include "core/gpu/client/nsight_compute.h"

namespace cubinlab {

Result<std::vector<Profile>> profile_files(const std::vector<ScheduleFile>& files,
                                           const std::filesystem::path& workload,
                                           const ProfilerSettings& settings, std::stop_token stop) {
    const auto ncu = TRY(find_ncu(settings.ncu));
    std::vector<Profile> out;
    for (const ScheduleFile& file : files) {
        const std::string text = TRY(profile_launch(
            {ncu, settings.worker, file.cubin, workload, file.schedule.kernel()->name(), settings.device},
            stop));
        Profile profile = TRY(profile_of(text, file.schedule));
        out.push_back(std::move(profile));
    }
    return out;
}

Result<std::vector<Profile>> profile_schedules(const Schedule& original,
                                               const std::optional<Schedule>& candidate,
                                               const Workload& workload, const ProfilerSettings& settings,
                                               std::stop_token stop) {
    const ScratchFolder folder = TRY(ScratchFolder::make());
    const auto launch = folder.path() / "launch.workload.json";
    std::vector<ScheduleFile> files = {{original, folder.path() / "original.cubin"}};
    TRY(write_file(files.front().cubin, original.kernel()->cubin().bytes()));
    TRY(write_text(launch, workload.json));
    if (candidate) {
        files.push_back({*candidate, folder.path() / "other.cubin"});
        TRY(export_cubin(*candidate, files.back().cubin, Claim()));
    }
    return profile_files(files, launch, settings, std::move(stop));
}

ProfiledSchedules explain_profiles(const std::vector<Schedule>& schedules, std::vector<Profile> profiles,
                                   const std::optional<Workload>& workload) {
    const KernelPtr& kernel = schedules.front().kernel();
    const ExplainSettings settings = explain_settings(*kernel, workload);
    const Explainer explainer(kernel, settings.model);
    ProfiledSchedules out;
    for (std::size_t i = 0; i < schedules.size(); ++i)
        out.sides.push_back({schedules[i], std::move(profiles[i]), explainer.explain(schedules[i])});
    const ProfiledSchedule &a = out.sides.front(), &b = out.sides.back();
    out.change = compare_profiles(a.schedule, a.profile, b.schedule, b.profile);
    return out;
}

}  // namespace cubinlab
