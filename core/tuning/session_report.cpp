// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/session_report.h"

#include <fmt/format.h>

#include "core/tuning/minimal_schedule.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMinimiseUpTo = 400;  // edits; more would take longer than a reader waits

// The edits that carry the gain, judged by what judged the run; or why that is not known.
Result<Minimised> minimised_of(const ReportData& data, SessionReader& reader, const ReportOptions& options,
                               std::stop_token stop) {
    if (data.run.evaluator.kind == EvaluatorKind::Gpu && !options.gpu)
        return fail(ErrorCode::NoGpu,
                    "a GPU judged this run, so this takes measurements; `cubinlab report --minimise` makes "
                    "them where one is at hand");
    const std::size_t edits = difference(Schedule(data.kernel), data.best).edits.size();
    if (edits > kMinimiseUpTo)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} edits are more than a report tries ({})", edits, kMinimiseUpTo));
    auto workload = TRY(workload_of_session(reader, data.session, options.inputs, data.run.id));
    auto found = TRY(find_minimal({.whole = data.best,
                                   .judge = data.run.evaluator.kind,
                                   .workload = workload,
                                   .gpu = options.gpu.value_or(GpuSettings{}),
                                   .keep = data.minimised_keep},
                                  stop));
    if (found.keeps_whole()) return fail(ErrorCode::Refused, "in fresh processes " + found.fresh->why_not);
    found.minimised.outcome = found.outcome();
    return std::move(found.minimised);
}

void read_minimised(ReportData& data, SessionReader& reader, const ReportOptions& options,
                    std::stop_token stop) {
    if (!data.best_record) return;
    auto minimised = minimised_of(data, reader, options, std::move(stop));
    if (minimised)
        data.minimised = std::move(*minimised);
    else
        data.not_minimised = minimised.error().message();
}

}  // namespace

Result<ReportData> report_of_session(const std::filesystem::path& session, RunId run, std::stop_token stop,
                                     const ReportOptions& options) {
    auto reader = TRY(SessionReader::open(session));
    auto data = read_report_data(*reader, session, run, stop);
    if (!data && data.error().where.empty())
        return fail(data.error().code, data.error().what, session.string());
    if (!data) return data;
    read_minimised(*data, *reader, options, stop);
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    return data;
}

}  // namespace cubinlab
