// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/stored_figures.h"

#include <fmt/format.h>

#include <functional>
#include <memory>

#include "core/legality/hazard_checker.h"
#include "core/evidence/gpu_figures.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/modelled_figures.h"
#include "core/evidence/run_curve.h"

namespace cubinlab {
namespace {

bool claims(const StepRecord& record) {
    return record.step != 0 && record.outcome.ok();
}

// As check_step_figure, of a step that ran well.
using FigureCheck = std::function<Result<std::string>(const StepRecord&)>;

Result<FigureCheck> figure_check(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) {
    if (run.evaluator.kind == EvaluatorKind::Model) {
        const auto figures =
            std::make_shared<ModelledFigures>(TRY(ModelledFigures::create(reader, kernel, run)));
        return FigureCheck([figures](const StepRecord& record) { return figures->check(record); });
    }
    const auto figures = std::make_shared<GpuFigures>(reader, run);
    return FigureCheck([figures](const StepRecord& record) { return figures->check(record); });
}

// Every schedule that was evaluated. A repeated step has the schedule of an earlier one.
Result<std::uint64_t> check_legality(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                     const std::stop_token& stop) {
    const auto checker = TRY(HazardChecker::create(kernel));
    std::uint64_t legal = 0;
    const auto check = [&](const StepRecord& record) -> Status {
        // A start is what a compiler made.
        if (!record.outcome.ok() || record.repeated || record.step > static_cast<StepId>(run.steps) ||
            !record.mutation.start.empty())
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

Result<std::string> check_step_figure(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                      StepId step) {
    if (step == 0) return std::string();
    const auto record = TRY(reader.step(run.id, step));
    if (!claims(record)) return std::string();
    const auto check = TRY(figure_check(reader, kernel, run));
    return check(record);
}

Status check_step_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                          const std::set<StepId>& steps, std::stop_token stop) {
    const auto check = TRY(figure_check(reader, kernel, run));
    for (const StepId step : steps) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while checking figures");
        const auto record = TRY(reader.step(run.id, step));
        if (claims(record)) TRY(check(record));
    }
    return {};
}

Result<FiguresChecked> check_run_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                         FiguresOf which, std::stop_token stop) {
    const auto records = TRY(reader.measurements(run.id));
    TRY(check_measured_code(reader, run, records, 0));
    FiguresChecked out;
    out.unchecked = TRY(check_measurement_figures(records, 0));
    if (out.unchecked != 0) out.why = "the session holds no samples of a measurement";
    const auto check = TRY(figure_check(reader, kernel, run));
    const auto take = [&](const StepRecord& record) -> Status {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while checking figures");
        if (record.step > static_cast<StepId>(run.steps)) return {};  // logged since `run` was read
        if (!claims(record)) {
            if (!record.best) return {};
            return fail(ErrorCode::Corrupt,
                        fmt::format("{} is marked as the run's best, but its outcome is {}",
                                    at_step(run.id, record.step), to_string(record.outcome.kind)));
        }
        if (which == FiguresOf::Sampled && record.repeated) return {};
        std::string why = "the session holds no samples of it";
        if (which != FiguresOf::Sampled || !record.outcome.samples.empty()) why = TRY(check(record));
        ++(why.empty() ? out.follow : out.unchecked);
        if (out.why.empty()) out.why = why;
        return {};
    };
    TRY(which == FiguresOf::BestSteps ? each_best(reader, run.id, take, stop)
                                      : each_step(reader, run.id, take, stop));
    return out;
}

Status check_best_is_legal(const RunInfo& run, const Schedule& best) {
    if (run.best_step == 0) return {};
    const Legality hazards = TRY(legality_of(best));
    if (hazards.empty()) return {};
    return fail(ErrorCode::Refused,
                fmt::format("run {}: its best, step {}, is illegal and is not exported {}", run.id,
                            run.best_step, summary_of(hazards)));
}

Result<RunVerification> verify_run(SessionReader& reader, const KernelPtr& kernel, RunInfo run,
                                   std::stop_token stop) {
    RunVerification out;
    out.rebuilt = TRY(reader.verify(kernel, run.id));
    const KernelPtr searched = TRY(reader.run_kernel(kernel, run.id));
    run.steps = out.rebuilt;  // a run that is being written has more by now
    TRY(reader.whole(run.id));
    out.figures = TRY(check_run_figures(reader, searched, run, FiguresOf::EveryStep, stop));
    const auto best = TRY(reader.schedule_at(searched, run.id, run.best_step));
    TRY(check_best_is_legal(run, best));
    out.legal = TRY(check_legality(reader, searched, run, stop));
    return out;
}

}  // namespace cubinlab
