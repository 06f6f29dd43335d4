// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/run_verification.h"

#include <fmt/format.h>

#include "core/legality/hazard_checker.h"
#include "core/evidence/run_curve.h"

namespace cubinlab {
namespace {

// Every schedule that was evaluated. A repeated step has the schedule of an earlier one.
Result<std::uint64_t> check_legality(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                     const std::stop_token& stop) {
    const auto checker = TRY(HazardChecker::create(kernel));
    std::uint64_t legal = 0;
    const auto check = [&](const StepRecord& record) -> Status {
        if (!record.outcome.ok() || record.repeated || record.step > static_cast<StepId>(run.steps))
            return {};
        const auto schedule = TRY(reader.schedule_at(kernel, run.id, record.step));
        const Legality hazards = checker->check(schedule);
        if (!hazards.empty())
            return fail(ErrorCode::Refused,
                        fmt::format("{} is illegal {}", at_step(run.id, record.step), summary_of(hazards)));
        ++legal;
        return {};
    };
    TRY(each_step(reader, run.id, check, stop));
    return legal;
}

}  // namespace

Result<RunVerification> verify_run(SessionReader& reader, const KernelPtr& kernel, RunInfo run,
                                   std::stop_token stop) {
    RunVerification out;
    out.rebuilt = TRY(reader.verify(kernel, run.id));
    run.steps = out.rebuilt;  // a run that is being written has more by now
    TRY(reader.whole(run.id));
    out.figures = TRY(check_run_figures(reader, kernel, run, FiguresOf::EveryStep, stop));
    const auto best = TRY(reader.schedule_at(kernel, run.id, run.best_step));
    TRY(check_best_is_legal(run, best));
    out.legal = TRY(check_legality(reader, kernel, run, stop));
    return out;
}

}  // namespace cubinlab
