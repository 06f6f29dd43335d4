// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run. tune_run.cpp proposes, measures and logs; tune_resume.cpp replays an interrupted run.
#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/search/engine/known_outcomes.h"
#include "core/search/engine/promotion.h"
#include "core/search/engine/tune_run.h"
#include "core/search/engine/worker_pool.h"

namespace cubinlab {

struct TuneRun::Impl {
    using Clock = std::chrono::steady_clock;

    SearchContext context;
    RunSettings settings;
    std::unique_ptr<Searcher> searcher;
    Evaluator& evaluator;
    RunSink* sink;
    RunListener* listener;

    Incumbent incumbent;
    Promoter promoter;
    KnownOutcomes known;
    StepId next_step = 1;
    bool closing = false;
    RunSummary summary;
    Clock::time_point began;
    Clock::duration paused{};  // since then: no part of the budget
    std::optional<RunPhase> phase;

    bool has_requests = false;  // the searcher made measure requests, so the end of a run may have claimed

    // A batch that was interrupted: the first part is in the log, the rest must still be evaluated.
    std::vector<Proposal> open_batch;
    std::vector<StepRecord> open_done;
    std::optional<Incumbent> open_reference;  // the incumbent that its first part was compared with

    Impl(SearchContext c, RunSettings s, std::unique_ptr<Searcher> search, Evaluator& e, RunSink* log,
         RunListener* view)
        : context(std::move(c)),
          settings(std::move(s)),
          searcher(std::move(search)),
          evaluator(e),
          sink(log),
          listener(view),
          incumbent{context.start, {}},
          promoter(evaluator, context.start) {
        settings.batch = std::max<std::size_t>(settings.batch, 1);
        searcher->judged_by(evaluator);
        if (!settings.clock) settings.clock = [] { return Clock::now(); };
        incumbent.outcome.kind = OutcomeKind::Ok;
        incumbent.outcome.verdict = Verdict::Same;
    }

    void announce(RunPhase now) {
        if (phase == now) return;
        phase = now;
        if (listener) listener->on_phase(now);
    }

    RunEnd lose_evaluator(const Error& why) {
        summary.lost = why;
        return RunEnd::EvaluatorLost;
    }

    Clock::duration ran() const { return settings.clock() - began - paused; }

    std::int64_t microseconds() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(ran()).count();
    }

    bool out_of_time() const { return settings.budget.time && ran() >= *settings.budget.time; }

    // All steps of the run count against the budget, also those before an interruption.
    std::uint64_t steps_left() const {
        if (!settings.budget.steps) return settings.batch;
        const auto used = static_cast<std::uint64_t>(next_step - 1);
        return used >= *settings.budget.steps ? 0 : *settings.budget.steps - used;
    }

    // Exact figures need no further measurement.
    bool is_request(const Proposal& proposal) const { return proposal.request && !promoter.exact(); }
    bool may_become_best(const Proposal& proposal) const {
        return (proposal.promote && !proposal.request) || promoter.exact();
    }

    Status prepare();
    Result<std::vector<StepRecord>> measure(const std::vector<Proposal>& batch, std::size_t from,
                                            const Incumbent& compared, const std::stop_token& stop);
    Result<std::vector<StepRecord>> evaluate(const std::vector<Proposal>& batch, std::size_t from,
                                             const Incumbent& compared, const std::stop_token& stop);
    Status screen(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index, std::size_t from,
                  std::vector<StepRecord>& records, const Incumbent& compared, const std::stop_token& stop);
    Status measure_requests(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index,
                            std::size_t from, std::vector<StepRecord>& records, const std::stop_token& stop);
    Status pass_over(const StepRecord& logged, RunHistory& history);
    Status close();
    Status settle(const std::vector<Proposal>& batch, std::vector<StepRecord> records, std::size_t logged);
    ObserveResult observe(const std::vector<StepRecord>& records);
    Status log_step(const StepRecord& record, const Schedule& schedule);
    Status report(const ObserveResult& result, StepId last);
    Status resume(RunHistory& history);
    Status replay(RunHistory& history);
    Status match(const Proposal& proposal, const StepRecord& record) const;
    void take_best(const StepRecord& record, const Schedule& schedule);
    Result<RunSummary> run(const std::stop_token& stop, const PauseGate* gate);
    Result<RunEnd> loop(const std::stop_token& stop, const PauseGate* gate);
    Result<RunSummary> finish(RunEnd end);

    std::optional<WorkerThread>
        prefetcher;  // created on first use; destroyed before the objects that it uses
};

}  // namespace cubinlab
