// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand_log.h"

#include "core/workflow/evaluator_choice.h"

namespace cubinlab::ui {

HandLog::~HandLog() {
    if (!sink_) return;
    summary_.end = "closed";
    (void)sink_->finish(summary_);
}

Result<RunInfo> HandLog::begin() {
    original_.emplace(session_->kernel());
    auto choice = choose_evaluator(session_->kernel(), workload_, "model", {}, {});
    if (!choice) return fail(choice.error());
    model_ = std::move(choice->evaluator);
    auto writer = session_->writer();
    if (!writer) return fail(writer.error());
    RunInfo run;
    run.agent = "hand";
    run.agent_settings = "{}";
    run.evaluator = model_->info();
    run.start_hash = original_->hash();
    run.started = utc_now();
    auto sink = (*writer)->begin_run(run, *original_, &run.id);
    if (!sink) return fail(sink.error());
    sink_ = std::move(*sink);
    summary_.original_cost = run.evaluator.original_cost;
    return run;
}

Result<HandStep> HandLog::append(const Mutation& mutation, const Schedule& result) {
    HandStep step;
    if (!sink_) {
        auto run = begin();
        if (!run) return fail(run.error());
        step.started = std::move(*run);
    }
    StepRecord& record = step.record;
    record.step = last_ + 1;
    record.parent = last_;
    record.mutation = mutation;
    record.schedule_hash = result.hash();
    record.accepted = true;
    auto outcomes = model_->evaluate(std::span(&result, 1), *original_, Effort::Screen, {});
    if (outcomes && !outcomes->empty())
        record.outcome = std::move(outcomes->front());
    else
        record.outcome.detail = outcomes ? "the model gave no figure" : outcomes.error().message();
    record.reward = record.outcome.log_speedup;
    if (record.outcome.ok() && record.outcome.log_speedup > summary_.best_log_speedup) {
        record.best = true;
        summary_.best_log_speedup = summary_.best_low = summary_.best_high = record.outcome.log_speedup;
        summary_.best_step = record.step;
        summary_.best_cost = record.outcome.cost;
    }
    if (auto appended = sink_->append(record); !appended) return fail(appended.error());
    ++last_;
    ++summary_.steps;
    ++summary_.evaluated;
    return step;
}

}  // namespace cubinlab::ui
