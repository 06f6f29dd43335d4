// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/resumed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/evidence/stored_figures.h"
#include "core/gpu/client/shape_figures.h"
#include "core/search/starts/start_searcher.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab {
namespace {

class SessionHistory final : public RunHistory {
  public:
    SessionHistory(std::shared_ptr<SessionReader> reader, const RunInfo& run, KernelPtr kernel)
        : reader_(std::move(reader)),
          run_(run.id),
          last_(static_cast<StepId>(run.steps)),
          kernel_(std::move(kernel)) {}

    StepId last() const override { return last_; }
    Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) override {
        return reader_->steps(run_, after, count);
    }
    Result<Schedule> schedule_at(StepId step) override { return reader_->schedule_at(kernel_, run_, step); }

  private:
    std::shared_ptr<SessionReader> reader_;
    RunId run_;
    StepId last_;
    KernelPtr kernel_;
};

// A run that was interrupted before its first step begins at its start, if it is asked for by its number or no other is there.
Result<RunInfo> run_to_resume(SessionReader& reader, RunId id, const std::string& where) {
    if (id != 0) {
        auto run = reader.run(id);
        if (run && run->agent == "hand")
            return fail(
                ErrorCode::BadUse,
                fmt::format("run {} contains hand edits; only an agent run can be resumed", run->id),
                where);
        return run;
    }
    auto runs = TRY(reader.runs());
    for (const std::uint64_t least : {1, 0})
        for (auto run = runs.rbegin(); run != runs.rend(); ++run)
            if (run->agent != "hand" && run->steps >= least) return std::move(*run);
    return fail(ErrorCode::NotFound, "contains no resumable agent run", where);
}

}  // namespace

std::unique_ptr<RunHistory> history_of(std::shared_ptr<SessionReader> reader, const RunInfo& run,
                                       KernelPtr kernel) {
    return std::make_unique<SessionHistory>(std::move(reader), run, std::move(kernel));
}

RunSettings ResumedRun::settings(Budget more) const {
    RunSettings out;
    out.agent = run.agent;
    out.agent_settings = run.agent_settings;
    out.seed = run.seed;
    out.batch = run.batch != 0 ? run.batch : batch_for(run.evaluator);
    out.first_step = static_cast<std::uint64_t>(last()) + 1;
    // TuneRun counts the steps of the whole run.
    if (more.steps)
        more.steps = *more.steps +
                     std::min(out.first_step - 1, std::numeric_limits<std::uint64_t>::max() - *more.steps);
    out.budget = more;
    return out;
}

GpuSettings ResumedRun::gpu(GpuSettings given) const {
    given.seed = run.seed;
    given.confirmations_before = confirmations;
    given.cache = cache_of(run.evaluator).value_or(given.cache);
    return given;
}

Status ResumedRun::judged_alike(const EvaluatorInfo& now, const std::optional<Workload>& with) const {
    const EvaluatorInfo& then = run.evaluator;
    if (then.kind != now.kind)
        return fail(
            ErrorCode::BadUse,
            fmt::format("run {} was evaluated on the {}; continue it with that evaluator (--evaluator {})",
                        run.id, to_string(then.kind), to_string(then.kind)));
    if (const auto cache = cache_of(then); cache && cache_of(now) != cache)
        return fail(ErrorCode::BadUse, fmt::format("run {} was judged with --cache {}; continue it with that",
                                                   run.id, to_string(cache)));
    // Cycles of other launch settings are another unit.
    if (now.kind == EvaluatorKind::Model &&
        std::abs(now.original_cost - then.original_cost) > kFigureTolerance * now.original_cost)
        return fail(ErrorCode::BadUse,
                    fmt::format("in run {} the original costs {:.6g} {}, here {:.6g}: continue it with the "
                                "workload that it was started with",
                                run.id, then.original_cost, now.unit, now.original_cost));
    if (now.kind != EvaluatorKind::Gpu || !with) return {};
    const auto before = Workload::parse(workload);  // fails of an empty one
    if (before && launches_in_words(*before) != launches_in_words(*with))
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was measured on the launches {}, these are {}: continue it with the "
                                "workload that it was started with",
                                run.id, launches_in_words(*before), launches_in_words(*with)));
    return {};
}

Result<ResumedRun> open_resumed_run(const std::filesystem::path& session, const KernelPtr& kernel, RunId id,
                                    std::stop_token stop) {
    auto reader = TRY(SessionReader::open(session));
    auto run = TRY(run_to_resume(*reader, id, session.string()));
    if (auto whole = reader->whole(run.id); !whole)
        return fail(whole.error().code, "cannot be resumed: " + whole.error().what, session.string());
    auto start = TRY(reader->schedule_at(kernel, run.id, 0));
    auto figures = check_run_figures(*reader, kernel, run, FiguresOf::BestSteps, std::move(stop));
    if (!figures) return fail(figures.error().code, figures.error().message(), session.string());
    // Modelled figures of starts cannot be recomputed.
    const bool has_starts = start.kernel() != kernel || run.agent == kStartsAgent;
    if (figures->unchecked != 0 && run.evaluator.kind == EvaluatorKind::Model && !has_starts)
        return fail(ErrorCode::BadInput,
                    fmt::format("run {} cannot be resumed: {}; start a new run", run.id, figures->why),
                    session.string());
    auto workload = TRY(reader->workload_json(run.id));
    auto confirmed = TRY(reader->confirmations(run.id, 0, static_cast<StepId>(run.steps), kConfirmAlpha));
    auto history = history_of(std::move(reader), run, kernel);
    return ResumedRun{std::move(run), std::move(start), std::move(history), confirmed, std::move(workload)};
}

}  // namespace cubinlab
