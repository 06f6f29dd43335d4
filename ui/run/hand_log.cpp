// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/hand_log.h"

#include "core/base/utc_text.h"
#include "core/base/version.h"

namespace cubinlab::ui {

HandLog::~HandLog() {
    if (!sink_) return;
    summary_.end = RunEnd::Closed;
    (void)sink_->finish(summary_);
}

// The last schedule of the run.
Result<Schedule> HandLog::continue_run(RunId id) {
    auto run = TRY(session_->run(id));
    if (run.agent != "hand") return fail(ErrorCode::BadUse, "is not a run of hand edits");
    const auto last = static_cast<StepId>(run.steps);
    auto schedule = TRY(session_->schedule_at(id, last));
    auto writer = TRY(session_->writer());
    auto sink = TRY(writer->continue_run(id, model_->get().info()));
    if (schedule.kernel()->hash() != original_.kernel()->hash())
        return fail(ErrorCode::BadUse, "is of another compilation of the kernel");
    sink_ = std::move(sink);
    run_ = id;
    last_ = last;
    summary_.best_step = run.best_step;
    summary_.best = Speedup::exactly(run.best_log_speedup);
    summary_.original_cost = run.evaluator.original_cost;
    return on_kernel(original_.kernel(), schedule);
}

Result<std::optional<HandStep>> HandLog::resume(RunId run, const Schedule& hand) {
    if (run != 0)
        if (auto logged = continue_run(run)) {
            if (*logged == hand) return std::optional<HandStep>{};
            auto step = TRY(append(difference(*logged, hand), hand));
            return std::optional<HandStep>(std::move(step));
        }
    if (original_ == hand) return std::optional<HandStep>{};
    auto step = TRY(append(difference(original_, hand), hand));
    return std::optional<HandStep>(std::move(step));
}

Result<RunInfo> HandLog::begin() {
    auto writer = TRY(session_->writer());
    RunInfo run;
    run.agent = "hand";
    run.agent_settings = "{}";
    run.evaluator = model_->get().info();
    run.start_run = begins_.run;
    run.start_parent = begins_.step;
    run.start_hash = original_.hash();
    run.started = utc_text();
    run.version = version_text();
    sink_ = TRY(writer->begin_run(run, original_, &run.id));
    run_ = run.tuning = run.id;  // as it is read
    if (begins_.run != 0) run.code = original_.kernel()->hash();
    last_ = 0;
    summary_ = {};
    summary_.original_cost = run.evaluator.original_cost;
    return run;
}

// `mutation` if it leads from `logged` to `result`, else the mutation that does.
static Mutation step_from(const Schedule& logged, const Mutation& mutation, const Schedule& result) {
    Schedule there(logged);
    return mutation.apply(there) && there == result ? mutation : difference(logged, result);
}

// Begins the run with its first step, and opens it again after a step was lost. Returns the end of the log if it is not the
// base of the next mutation.
Result<std::optional<Schedule>> HandLog::open_run(std::optional<RunInfo>& started) {
    std::optional<Schedule> logged;
    if (lost_) {
        sink_.reset();
        auto last = continue_run(run_);
        if (last)
            logged = std::move(*last);
        else if (last.error().code == ErrorCode::NotFound)
            run_ = 0;  // the file was removed; the hub has a new session
        else
            return fail(last.error());
    }
    if (run_ == 0) {
        started = TRY(begin());
        logged = original_;
    }
    return logged;
}

Result<HandStep> HandLog::append(const Mutation& mutation, const Schedule& result) {
    HandStep step;
    const std::optional<Schedule> logged = TRY(open_run(step.started));
    lost_ = true;  // until the step is on disk
    StepRecord& record = step.record;
    record.step = last_ + 1;
    record.parent = last_;
    record.mutation = logged ? step_from(*logged, mutation, result) : mutation;
    record.schedule_hash = result.hash();
    record.accepted = true;
    record.outcome = model_->get().against_original(result);
    record.reward = record.outcome.speedup.log;
    if (record.outcome.ok() && record.outcome.speedup.log > summary_.best.log) {
        record.best = true;
        summary_.best = Speedup::exactly(record.outcome.speedup.log);
        summary_.best_step = record.step;
        summary_.best_cost = record.outcome.cost;
    }
    TRY(sink_->append(record));
    TRY(sink_->flush());  // edits are few: flush each
    lost_ = false;
    ++last_;
    ++summary_.steps;
    ++summary_.evaluated;
    return step;
}

}  // namespace cubinlab::ui
