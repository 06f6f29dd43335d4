// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/session_runs.h"

#include <fmt/format.h>

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

// The clock of its first step, in microseconds, tells a run from another that began in the same second.
Result<std::string> identity_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) {
    const auto first = TRY(reader.figures(run.id, 0, 1));
    if (first.empty()) return std::string();
    return fmt::format("{} {} {} {} {} {}", kernel->hash().hex(), run.agent, run.seed, run.started,
                       first.front().hash.hex(), first.front().time_us);
}

}  // namespace

Status each_run(const std::filesystem::path& session, RunsTaken& taken, const TakeRun& take,
                const std::stop_token& stop) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto runs = TRY(reader->runs());
    const auto take_one = [&](const RunInfo& run) -> Status {
        const auto identity = TRY(identity_of(*reader, kernel, run));
        if (!taken.seen.insert(identity).second) {
            ++taken.again;
            return {};
        }
        TRY(reader->whole(run.id));
        taken.unchecked += TRY(check_figures(*reader, kernel, run, stop));
        return take(*reader, kernel, run);
    };
    for (const RunInfo& run : runs) {
        if (run.steps == 0) continue;
        if (auto done = take_one(run); !done) {
            Error error = done.error();
            const std::string& where = error.where;
            if (where != session.string())
                error.where = where.empty() ? session.string() : session.string() + ", " + where;
            return fail(std::move(error));
        }
    }
    return {};
}

}  // namespace cubinlab
