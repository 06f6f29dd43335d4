// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/earlier_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/base/file.h"
#include "core/containers/kernel_list.h"
#include "core/search/race_starts.h"
#include "core/store/session.h"

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

Result<std::vector<Candidate>> of_session(const fs::path& file, const KernelPtr& kernel) {
    auto reader = SessionReader::open(file);
    if (!reader) return fail(reader.error());
    auto stored = (*reader)->kernel();
    if (!stored) return fail(stored.error());
    if ((*stored)->hash() != kernel->hash())
        return fail(ErrorCode::BadUse, "is a session of another kernel or of other code of it",
                    file.string());
    auto runs = (*reader)->runs();
    if (!runs) return fail(runs.error());
    std::vector<Candidate> out;
    for (const RunInfo& run : *runs) {
        // What was made by hand need not have been measured: its newest step.
        const StepId step =
            run.best_step == 0 && run.agent == "hand" ? static_cast<StepId>(run.steps) : run.best_step;
        if (step == 0) continue;
        out.push_back({fmt::format("{}, run {}", file.string(), run.id), false,
                       run.evaluator.kind == EvaluatorKind::Gpu, run.best_log_speedup,
                       [reader = *reader, kernel, id = run.id, step] {
                           return reader->schedule_at(kernel, id, step);
                       }});
    }
    return out;
}

Result<std::vector<Candidate>> of_cubin(const fs::path& file, const KernelPtr& kernel) {
    auto container = Container::open(file);
    if (!container) return fail(container.error());
    KernelWish wish{kernel->name(), {}, {}};
    if ((*container)->images().size() > 1) wish.arch = kernel->arch().name();
    auto choice = choose_kernel(**container, wish);
    if (!choice) return fail(choice.error());
    auto info = choice->cubin->kernel(choice->kernel);
    if (!info) return fail(info.error());
    auto schedule = Schedule::match(kernel, choice->cubin->code(**info));
    if (!schedule)
        return fail(ErrorCode::BadUse, "is no schedule of this kernel: " + schedule.error().message(),
                    file.string());
    return std::vector<Candidate>{
        {file.string(), true, false, 0,
         [schedule = std::move(*schedule)]() -> Result<Schedule> { return schedule; }}};
}

bool is_session(const fs::path& file) {
    constexpr std::string_view kSqlite = "SQLite format 3";
    const auto start = read_start(file, kSqlite.size());
    return start && *start == kSqlite;
}

Result<std::vector<Candidate>> of_file(const fs::path& file, const KernelPtr& kernel) {
    return is_session(file) ? of_session(file, kernel) : of_cubin(file, kernel);
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

Status add_source(std::vector<Candidate>& to, const fs::path& source, const KernelPtr& kernel,
                  const std::stop_token& stop) {
    std::error_code error;
    const bool folder = fs::is_directory(source, error);
    auto files = folder ? files_in(source) : Result<std::vector<fs::path>>(std::vector{source});
    if (!files) return fail(files.error());
    for (const fs::path& file : *files) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped", file.string());
        auto found = of_file(file, kernel);
        if (!found && !folder) return fail(found.error());
        if (found) std::ranges::move(*found, std::back_inserter(to));
    }
    return {};
}

}  // namespace

Result<EarlierSchedules> earlier_schedules(const SearchContext& context, std::vector<Schedule> first,
                                           const std::vector<fs::path>& sources,
                                           const std::stop_token& stop) {
    std::vector<Candidate> candidates;
    for (Schedule& schedule : first)
        candidates.push_back({"the schedule made by hand", true, false, 0,
                              [schedule = std::move(schedule)]() -> Result<Schedule> { return schedule; }});
    for (const fs::path& source : sources)
        if (auto added = add_source(candidates, source, context.kernel, stop); !added)
            return fail(added.error());
    std::ranges::stable_sort(candidates, std::greater{}, [](const Candidate& of) {
        return std::tuple(of.cubin, of.measured, of.log_speedup);
    });

    EarlierSchedules out;
    for (const Candidate& candidate : candidates) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped", candidate.name);
        if (out.schedules.size() == kMostStarts) break;
        auto schedule = candidate.schedule();
        Status may = schedule ? may_start(context, *schedule) : Status(fail(schedule.error()));
        if (!may)
            out.left_out.push_back(candidate.name + ": " + may.error().message());
        else if (*schedule != context.start &&
                 std::ranges::find(out.schedules, *schedule) == out.schedules.end())
            out.schedules.push_back(std::move(*schedule));
    }
    return out;
}

}  // namespace cubinlab
