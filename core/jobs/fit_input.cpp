// SPDX-License-Identifier: GPL-3.0-or-later
// Where measured schedules come from: rank files and sessions.
#include <algorithm>
#include <cmath>

#include "core/claims/rank_agreement.h"
#include "core/jobs/evaluator_choice.h"
#include "core/jobs/explain_settings.h"
#include "core/jobs/model_fit.h"
#include "core/store/session.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostOfRun = 160;
constexpr double kIntervalDeviations = 2.576;

std::string stem_of(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return name.substr(0, name.find('.'));
}

std::vector<int> known_trips(const Kernel& kernel, const Workload& workload) {
    return trips_by_header(kernel, trip_counts(kernel, launch_values(kernel, workload)));
}

bool is_launch(const Workload& workload, const SmModelSettings& launch) {
    const SmModelSettings own = launch_settings(workload);
    return own.threads_per_block == launch.threads_per_block && own.blocks_in_grid == launch.blocks_in_grid &&
           own.dynamic_shared_bytes == launch.dynamic_shared_bytes;
}

Result<FitKernel> from_ranks(const std::filesystem::path& path, const std::filesystem::path& cubins) {
    auto file = read_rank_file(path);
    if (!file) {
        Error error = file.error();
        if (error.code == ErrorCode::BadInput) error.what += "; a session (*.db) is taken too";
        return fail(std::move(error));
    }
    const auto beside = path.parent_path() / file->cubin;
    std::error_code ignored;
    const auto place = cubins / file->cubin;
    auto cubin = TRY(Cubin::open(std::filesystem::exists(place, ignored) ? place.string() : beside.string()));
    auto kernel = TRY(Kernel::load(cubin, file->kernel));
    auto schedules = TRY(file->schedules(kernel));
    FitKernel out;
    out.kernel = kernel;
    out.device = file->device;
    out.launch = file->launch;
    // Counts of the loops from the workload beside the cubin, where it is the launch that was measured.
    if (auto workload = Workload::load(default_workload_path(cubin->where()));
        workload && is_launch(*workload, out.launch))
        out.trips = known_trips(*kernel, *workload);
    out.schedules = std::move(schedules);
    out.rows = std::move(file->rows);
    return out;
}

// One figure each: both halves are it, so that the measurement has no agreement with itself to tell.
RankRow row_of(const Outcome& outcome) {
    const double error = (outcome.high - outcome.low) / 2 / kIntervalDeviations * std::sqrt(2.0);
    const RankHalf half{outcome.log_speedup, error, 1};
    return {false, {}, half, half};
}

Result<FitKernel> from_session(const std::filesystem::path& path, const std::stop_token& stop) {
    auto reader = TRY(SessionReader::open(path));
    auto kernel = TRY(reader->kernel());
    auto text = TRY(reader->workload_json());
    FitKernel out;
    out.kernel = kernel;
    if (!text.empty())
        if (auto workload = Workload::parse(text); workload) {
            out.launch = launch_settings(*workload);
            out.trips = known_trips(*kernel, *workload);
        }
    auto runs = TRY(reader->runs());
    bool first = true;
    for (const RunInfo& run : runs) {
        if (run.evaluator.kind != EvaluatorKind::Gpu) continue;
        // Figures are against a run's start: only of one run's start can two runs be compared.
        if (!first && run.start_hash != kernel->hash()) continue;
        auto steps = TRY(evenly_chosen(*reader, run.id, kMostOfRun, stop));
        for (const StepRecord& record : steps) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
            if (!(record.outcome.high > record.outcome.low)) continue;
            auto schedule = TRY(reader->schedule_at(kernel, run.id, record.step));
            out.rows.push_back(row_of(record.outcome));
            out.schedules.push_back(std::move(schedule));
        }
        out.device = run.evaluator.device;
        if (run.start_hash != kernel->hash()) break;
        first = false;
    }
    if (out.rows.empty())
        return fail(ErrorCode::NotFound, "no run of this session was measured on a GPU", path.string());
    return out;
}

}  // namespace

Result<FitKernel> read_fit_kernel(const std::filesystem::path& file, const std::filesystem::path& cubins,
                                  const std::stop_token& stop) {
    auto out = TRY(file.extension() == ".json" ? from_ranks(file, cubins) : from_session(file, stop));
    out.name = stem_of(file);
    out.family = out.name.substr(0, out.name.find('_'));
    return out;
}

}  // namespace cubinlab
