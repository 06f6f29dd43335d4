// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/stored_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "core/claims/gpu_figures.h"
#include "core/claims/modelled_figures.h"
#include "core/claims/run_curve.h"

namespace cubinlab {
namespace {

bool claims(const StepRecord& record) {
    return record.step != 0 && record.outcome.ok();
}

Result<StepRecord> read_step(SessionReader& reader, const RunInfo& run, StepId step) {
    auto rows = reader.steps(run.id, step - 1, 1);
    if (!rows) return fail(rows.error());
    if (rows->size() != 1 || rows->front().step != step)
        return fail(ErrorCode::NotFound, fmt::format("run {} has no step {}", run.id, step));
    return std::move(rows->front());
}

// The steps that became best, without reading the others.
Status each_best(SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
                 const std::stop_token& stop) {
    constexpr std::size_t kPage = 1024;
    for (StepId after = 0;;) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while reading steps");
        auto page = reader.best_steps(run, after, kPage);
        if (!page) return fail(page.error());
        for (StepRecord& record : *page) {
            after = record.step;
            if (auto status = each(record); !status) return status;
        }
        if (page->size() < kPage) return {};
    }
}

// The run's own row repeats the figure of its best step; lists of sessions show that one.
Status check_best(SessionReader& reader, const RunInfo& run) {
    if (run.best_step == 0) {
        if (std::abs(run.best_log_speedup) <= kFigureTolerance) return {};
        return fail(ErrorCode::Corrupt, fmt::format("run {} has no best step, but says {:.4f}x of it", run.id,
                                                    std::exp(run.best_log_speedup)));
    }
    const auto best = read_step(reader, run, run.best_step);
    if (!best && best.error().code != ErrorCode::NotFound) return fail(best.error());
    if (!best || !best->best)
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
    if (run.evaluator.kind == EvaluatorKind::Model) {
        auto record = read_step(reader, run, step);
        if (!record) return fail(record.error());
        if (!claims(*record)) return std::string();
        auto figures = ModelledFigures::create(reader, kernel, run);
        if (!figures) return fail(figures.error());
        return figures->check(*record);
    }
    auto record = read_step(reader, run, step);
    if (!record) return fail(record.error());
    if (!claims(*record)) return std::string();
    const auto steps = MeasuredSteps::of_run(reader, run);
    auto figures = GpuFigures::create(run, *steps);
    if (!figures) return fail(figures.error());
    return figures->check(*record);
}

Result<FiguresChecked> check_run_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                         FiguresOf which, std::stop_token stop) {
    if (auto best = check_best(reader, run); !best) return fail(best.error());
    auto records = reader.measurements(run.id);
    if (!records) return fail(records.error());
    if (auto measured = check_measurement_figures(*records, 0); !measured) return fail(measured.error());
    FiguresChecked out;
    const auto take = [&](const StepRecord& record, auto&& check) -> Status {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while checking figures");
        if (!claims(record) || (which == FiguresOf::BestSteps && !record.best)) return {};
        Result<std::string> why = check(record);
        if (!why) return fail(why.error());
        ++(why->empty() ? out.follow : out.unchecked);
        if (out.why.empty()) out.why = *why;
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
        auto figures = ModelledFigures::create(reader, kernel, run);
        if (!figures) return fail(figures.error());
        done = over([&](const StepRecord& record) { return figures->check(record); });
    } else {
        const auto steps = MeasuredSteps::of_run(reader, run);
        auto figures = GpuFigures::create(run, *steps);
        if (!figures) return fail(figures.error());
        done = over([&](const StepRecord& record) { return figures->check(record); });
    }
    if (!done) return fail(done.error());
    return out;
}

}  // namespace cubinlab
