// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/session_runs.h"

#include "core/claims/stored_figures.h"

namespace cubinlab {
namespace {

Result<std::uint64_t> check_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                    const std::stop_token& stop) {
    const bool measured = run.evaluator.kind == EvaluatorKind::Gpu;
    const auto checked = TRY(
        check_run_figures(reader, kernel, run, measured ? FiguresOf::Sampled : FiguresOf::BestSteps, stop));
    return measured ? checked.unchecked : 0;
}

}  // namespace

Result<std::uint64_t> each_run(const std::filesystem::path& session, const TakeRun& take,
                               const std::stop_token& stop) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto runs = TRY(reader->runs());
    std::uint64_t unchecked = 0;
    for (const RunInfo& run : runs) {
        if (run.steps == 0) continue;
        const auto checked = check_figures(*reader, kernel, run, stop);
        const Status taken = checked ? take(*reader, kernel, run) : fail(checked.error());
        if (!taken) {
            Error error = taken.error();
            error.where = error.where.empty() ? session.string() : session.string() + ", " + error.where;
            return fail(std::move(error));
        }
        unchecked += *checked;
    }
    return unchecked;
}

}  // namespace cubinlab
