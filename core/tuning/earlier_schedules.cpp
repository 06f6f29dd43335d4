// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/earlier_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "core/evidence/best_figure.h"
#include "core/search/agents/race_schedules.h"
#include "core/store/session.h"
#include "core/tuning/schedule_file.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

// Its schedule is made when its turn comes: a folder may hold hundreds.
struct Candidate {
    std::string name;
    bool cubin = false, measured = false;
    double log_speedup = 0;
    std::function<Result<Schedule>()> schedule;
};

Result<Schedule> schedule_at(const fs::path& session, const KernelPtr& kernel, RunId run, StepId step) {
    auto reader = TRY(SessionReader::open(session));
    auto schedule = TRY(reader->schedule_at(kernel, run, step));
    if (schedule.kernel() == kernel) return schedule;
    return fail(ErrorCode::Refused, "it belongs to another compilation", session.string());
}

// Closed again at once: more sessions may lie in a folder than a process may have open.
Result<std::vector<Candidate>> of_session(const fs::path& file, const KernelPtr& kernel) {
    auto reader = TRY(SessionReader::open(file));
    auto stored = TRY(reader->kernel());
    if (stored->hash() != kernel->hash())
        return fail(ErrorCode::BadUse, "is a session of another kernel or of other code of it",
                    file.string());
    auto runs = TRY(reader->runs());
    std::vector<Candidate> out;
    for (const RunInfo& run : runs) {
        // What was made by hand need not have been measured: its newest step.
        const StepId step =
            run.best_step == 0 && run.agent == "hand" ? static_cast<StepId>(run.steps) : run.best_step;
        if (step == 0) continue;
        const BestFigure best = best_figure(*reader, run);
        if (!best.failed.empty()) continue;
        out.push_back({fmt::format("{}, run {}", file.string(), run.id), false, best.measured(),
                       best.speedup().log, [=, id = run.id] { return schedule_at(file, kernel, id, step); }});
    }
    return out;
}

Candidate as_it_is(std::string name, Schedule schedule) {
    return {std::move(name), true, false, 0, [schedule = std::move(schedule)] { return schedule; }};
}

Result<std::vector<Candidate>> of_file(const fs::path& file, const KernelPtr& kernel) {
    if (is_session_file(file)) return of_session(file, kernel);
    auto schedule = TRY(read_schedule(file, kernel));
    return std::vector{as_it_is(file.string(), std::move(schedule))};
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> out;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (const fs::path& file = at->path(); file.extension() == ".db" || file.extension() == ".cubin")
            out.push_back(file);
    if (error) return fail(ErrorCode::NotFound, error.message(), folder.string());
    std::ranges::sort(out);
    return out;
}

bool is_of_another_kernel(const Error& error) {
    return error.code == ErrorCode::BadUse || error.code == ErrorCode::NotFound ||
           error.code == ErrorCode::Unsupported;
}

Status add_source(std::vector<Candidate>& to, EarlierSchedules& out, const fs::path& source,
                  const KernelPtr& kernel, const std::stop_token& stop) {
    std::error_code error;
    const bool folder = fs::is_directory(source, error);
    auto files = TRY(folder ? files_in(source) : Result<std::vector<fs::path>>(std::vector{source}));
    for (const fs::path& file : files) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped", file.string());
        auto found = of_file(file, kernel);
        if (!found && !folder) return fail(found.error());
        if (found)
            std::ranges::move(*found, std::back_inserter(to));
        else if (!is_of_another_kernel(found.error()))
            out.left_out.push_back(found.error().message());
    }
    return {};
}

}  // namespace

Result<EarlierSchedules> earlier_schedules(const SearchContext& context, std::vector<Schedule> first,
                                           const std::vector<fs::path>& sources,
                                           const std::stop_token& stop) {
    EarlierSchedules out;
    std::vector<Candidate> candidates;
    for (Schedule& schedule : first)
        candidates.push_back(as_it_is("the schedule made by hand", std::move(schedule)));
    for (const fs::path& source : sources)
        TRY(add_source(candidates, out, source, context.kernel, stop));
    std::ranges::stable_sort(candidates, std::greater{}, [](const Candidate& of) {
        return std::tuple(of.cubin, of.measured, of.log_speedup);
    });

    for (const Candidate& candidate : candidates) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped", candidate.name);
        if (out.schedules.size() == kMostSchedules) break;
        auto schedule = candidate.schedule();
        Status may = schedule ? may_race(context, *schedule) : Status(fail(schedule.error()));
        if (!may)
            out.left_out.push_back(candidate.name + ": " + may.error().message());
        else if (*schedule != context.start &&
                 std::ranges::find(out.schedules, *schedule) == out.schedules.end())
            out.schedules.push_back(std::move(*schedule));
    }
    return out;
}

Result<RaceSchedules> race_from_earlier(const SearchContext& context, std::vector<Schedule> first,
                                        const std::vector<fs::path>& sources, const std::stop_token& stop) {
    auto found = TRY(earlier_schedules(context, std::move(first), sources, stop));
    auto settings = TRY(with_schedules(context.settings_json, context.start, found.schedules));
    return RaceSchedules{std::move(settings), found.schedules.size(), std::move(found.left_out)};
}

}  // namespace cubinlab
