// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tuning_log.h"

#include <algorithm>
#include <string>

#include "core/base/bounded_json.h"
#include "core/search/engine/default_agent.h"

namespace cubinlab {

std::vector<RunId> runs_over_starts(const std::vector<RunInfo>& runs) {
    std::vector<RunId> out;
    for (const RunInfo& run : runs)
        if (run.agent == kStartsAgent) out.push_back(run.id);
    return out;
}

void TuningLog::add(const StepRecord& record) {
    const auto [found, fresh] = index_.try_emplace(record.schedule_hash, starts_.size());
    start_at_[record.step] = found->second;
    if (fresh) {
        TunedStart made;
        made.name = record.mutation.start;
        made.step = record.step;
        const auto parent = start_at_.find(record.parent);
        made.parent = parent == start_at_.end() ? 0 : starts_[parent->second].step;
        made.code = record.schedule_hash;
        starts_.push_back(std::move(made));
        estimates_.emplace_back();
    }
    TunedStart& start = starts_[found->second];
    if (record.repeated) return;
    StartEstimate& estimate = estimates_[found->second];
    estimate.add(record.outcome);
    if (estimate.failed() && !record.outcome.ok()) start.outcome = record.outcome.kind;
    start.detail = record.outcome.detail;
    ++start.measured;
    start.log_speedup = estimate.mean();
}

Status TuningLog::describe(SessionReader& session, const KernelPtr& original, std::size_t first) {
    std::vector<std::string> names;
    for (std::size_t i = first; i < starts_.size(); ++i)
        names.push_back(starts_[i].name);
    const auto stored = TRY(session.starts(original, run_, names));
    std::size_t i = first;
    for (const StoredStart& made : stored) {
        while (i < starts_.size() && starts_[i].name != made.name)
            ++i;
        if (i == starts_.size()) break;
        TunedStart& start = starts_[i];
        const std::string_view recipe(reinterpret_cast<const char*>(made.recipe.data()), made.recipe.size());
        start.start = TRY(start_from_json(parse_json_or_discard(recipe)));
        if (!made.cubin) continue;
        const KernelInfo* info = TRY(made.cubin->kernel(original->name()));
        start.registers = info->registers;
        start.instructions = static_cast<std::uint32_t>(info->code_size / kWordBytes);
        start.local_bytes = info->local_bytes;
    }
    return {};
}

Status TuningLog::read_starts(SessionReader& session, const KernelPtr& original, TuningPart& part) {
    StepId& last = read_[part.run.id];
    const std::size_t known = starts_.size();
    while (true) {
        const auto steps = TRY(session.steps(part.run.id, last, kStepsAtOnce));
        for (const StepRecord& record : steps) {
            last = record.step;
            WorkTime& time = time_[part.run.id];
            time.add(record.time_us);
            if (record.mutation.start.empty()) continue;
            add(record);
            if (record.outcome.ok() && !record.repeated)
                part.points.push_back(
                    {record.step, part.begins + time.seconds(), record.outcome.speedup.log, record.best});
        }
        if (steps.size() < kStepsAtOnce) break;
    }
    return describe(session, original, known);
}

Status TuningLog::read_schedules(SessionReader& session, TuningPart& part) {
    StepId& last = read_[part.run.id];
    TunedStart& start = starts_[part.start];
    while (true) {
        const auto steps = TRY(session.figures(part.run.id, last, kStepsAtOnce));
        for (const StepFigure& step : steps) {
            last = step.step;
            WorkTime& time = time_[part.run.id];
            time.add(step.time_us);
            ++start.tuned_steps;
            if (step.kind != OutcomeKind::Ok || step.repeated) continue;
            const double total = start.log_speedup + step.log_speedup;
            part.points.push_back({step.step, part.begins + time.seconds(), total, step.best});
            if (!step.best || (start.best_step != 0 && total <= start.best_log_speedup)) continue;
            start.best_log_speedup = total;
            start.best_run = part.run.id;
            start.best_step = step.step;
        }
        if (steps.size() < kStepsAtOnce) return {};
    }
}

Status TuningLog::read_measurements(SessionReader& session) {
    for (const TuningPart& part : parts_) {
        const auto records = TRY(session.measurements(part.run.id));
        if (records.empty()) continue;
        for (TunedStart& start : starts_) {
            const bool here =
                start.best_step != 0 ? start.best_run == part.run.id : part.over_starts && start.step != 0;
            if (here)
                start.fresh = pool_measurements(records, start.best_step != 0 ? start.best_step : start.step);
        }
    }
    return {};
}

Status TuningLog::read(SessionReader& session, const KernelPtr& original) {
    const auto runs = TRY(session.runs());
    const auto first = std::ranges::find(runs, run_, &RunInfo::id);
    if (first == runs.end()) return fail(ErrorCode::NotFound, "the session has no such run");
    if (first->agent != kStartsAgent)
        return fail(ErrorCode::BadInput, "is no run over starts", "run " + std::to_string(run_));
    evaluator_ = first->evaluator;
    if (starts_.empty()) {
        TunedStart none;
        none.code = original->hash();
        none.registers = original->info().registers;
        none.instructions = static_cast<std::uint32_t>(original->size());
        none.local_bytes = original->info().local_bytes;
        index_.emplace(none.code, 0);
        starts_.push_back(std::move(none));
        estimates_.emplace_back();
    }
    double begins = 0;
    std::size_t at = 0;
    for (auto run = first; run != runs.end(); ++run) {
        if (run->tuning != run_) continue;
        if (at == parts_.size()) parts_.push_back({*run, run == first, 0, begins, begins, {}});
        TuningPart& part = parts_[at++];
        part.run = *run;
        if (part.over_starts) {
            TRY(read_starts(session, original, part));
        } else {
            const auto start = index_.find(run->code);
            part.start = start == index_.end() ? 0 : start->second;
            TRY(read_schedules(session, part));
        }
        part.ends = part.begins + time_[run->id].seconds();
        begins = part.ends;
    }
    return read_measurements(session);
}

std::size_t TuningLog::start_of(RunId run, StepId step) const {
    if (run == run_) {
        const auto found = start_at_.find(step);
        return found == start_at_.end() ? 0 : found->second;
    }
    const auto part = std::ranges::find(parts_, run, [](const TuningPart& p) { return p.run.id; });
    return part == parts_.end() ? 0 : part->start;
}

}  // namespace cubinlab
