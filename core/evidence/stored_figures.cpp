// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/stored_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "core/legality/legality_of.h"
#include "core/evidence/gpu_figures.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/modelled_figures.h"
#include "core/evidence/run_curve.h"

namespace cubinlab {
namespace {

bool claims(const StepRecord& record) {
    return record.step != 0 && record.outcome.ok();
}

// The run's own row repeats the figure of its best step; lists of sessions show that one.
Status check_best(SessionReader& reader, const RunInfo& run) {
    if (run.best_step == 0) {
        if (std::abs(run.best_log_speedup) <= kFigureTolerance) return {};
        return fail(ErrorCode::Corrupt, fmt::format("run {} has no best step, but says {:.4f}x of it", run.id,
                                                    std::exp(run.best_log_speedup)));
    }
    const auto best = reader.step(run.id, run.best_step);
    if (!best && best.error().code != ErrorCode::NotFound) return fail(best.error());
    if (!best || !best->best || !best->outcome.ok())
        return fail(ErrorCode::Corrupt, fmt::format("run {} says that step {} is its best, the step does not",
                                                    run.id, run.best_step));
    if (std::abs(best->outcome.log_speedup - run.best_log_speedup) <= kFigureTolerance) return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("run {} says {:.4f}x of its best step {}, the step says {:.4f}x", run.id,
                            std::exp(run.best_log_speedup), best->step, std::exp(best->outcome.log_speedup)));
}

}  // namespace

Result<std::string> check_step_figure(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                      StepId step) {
    if (step == 0) return std::string();
    auto record = TRY(reader.step(run.id, step));
    if (!claims(record)) return std::string();
    if (run.evaluator.kind == EvaluatorKind::Model) {
        auto figures = TRY(ModelledFigures::create(reader, kernel, run));
        return figures.check(record);
    }
    const auto steps = MeasuredSteps::of_run(reader, run);
    auto figures = TRY(GpuFigures::create(run, *steps));
    return figures.check(record);
}

Status check_step_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                          const std::set<StepId>& steps, std::stop_token stop) {
    const auto over = [&](auto&& check) -> Status {
        for (const StepId step : steps) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while checking figures");
            const auto record = TRY(reader.step(run.id, step));
            if (claims(record)) TRY(check(record));
        }
        return {};
    };
    if (run.evaluator.kind == EvaluatorKind::Model) {
        auto figures = TRY(ModelledFigures::create(reader, kernel, run));
        return over([&](const StepRecord& record) { return figures.check(record); });
    }
    const auto measured = MeasuredSteps::of_run(reader, run);
    auto figures = TRY(GpuFigures::create(run, *measured));
    return over([&](const StepRecord& record) { return figures.check(record); });
}

Result<FiguresChecked> check_run_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                         FiguresOf which, std::stop_token stop, Deviations* deviations) {
    // True: it was told, and the next one can be looked at.
    const auto told = [&](const Error& error) {
        if (deviations == nullptr || error.code != ErrorCode::Corrupt) return false;
        deviations->add({}, error.what);  // it names run and step
        return true;
    };
    if (auto best = check_best(reader, run); !best && !told(best.error())) return fail(best.error());
    auto records = TRY(reader.measurements(run.id));
    FiguresChecked out;
    for (const MeasurementRecord& record : records) {
        const auto code = check_measured_code(reader, run, {record}, 0);
        if (!code && !told(code.error())) return fail(code.error());
        auto open = check_measurement_figures({record}, 0);
        if (open)
            out.unchecked += *open;
        else if (!told(open.error()))
            return fail(open.error());
    }
    if (out.unchecked != 0) out.why = "the session holds no samples of a measurement";
    const auto take = [&](const StepRecord& record, auto&& check) -> Status {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while checking figures");
        // Those that came while this was read are another reading's.
        if (record.step > static_cast<StepId>(run.steps)) return {};
        if (!claims(record) || (which == FiguresOf::BestSteps && !record.best)) return {};
        if (which == FiguresOf::Sampled && record.repeated) return {};
        std::string why = "the session holds no samples of it";
        if (which != FiguresOf::Sampled || !record.outcome.samples.empty()) {
            auto checked = check(record);
            if (!checked && told(checked.error())) return {};
            why = TRY(std::move(checked));
        }
        ++(why.empty() ? out.follow : out.unchecked);
        if (out.why.empty()) out.why = why;
        return {};
    };
    const auto over = [&](auto&& check) {
        const std::function<Status(StepRecord&)> each = [&](StepRecord& record) {
            return take(record, check);
        };
        return which == FiguresOf::BestSteps ? each_best(reader, run.id, each, stop)
                                             : each_step(reader, run.id, each, stop);
    };
    Status done;
    if (run.evaluator.kind == EvaluatorKind::Model) {
        auto figures = TRY(ModelledFigures::create(reader, kernel, run));
        done = over([&](const StepRecord& record) { return figures.check(record); });
    } else {
        const auto steps = MeasuredSteps::of_run(reader, run);
        auto figures = TRY(GpuFigures::create(run, *steps));
        done = over([&](const StepRecord& record) { return figures.check(record); });
    }
    if (!done) return fail(done.error());
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

}  // namespace cubinlab
