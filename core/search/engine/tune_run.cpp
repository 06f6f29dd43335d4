// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/tune_run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/stopwatch.h"
#include "core/search/engine/tune_run_impl.h"

namespace cubinlab {

void PauseGate::wait(const std::stop_token& stop) const {
    // Polls, because an atomic wait cannot also wait for a stop request.
    while (paused() && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

Status TuneRun::Impl::prepare() {
    announce(RunPhase::Preparing);
    summary.original_cost = evaluator.info().original_cost;
    if (incumbent.outcome.cost == 0) incumbent.outcome.cost = summary.original_cost;
    // The start is known too: a searcher that returns to it costs no evaluation.
    known.remember(context.start.hash(), 0,
                   incumbent.is_start()
                       ? incumbent.outcome
                       : Outcome{OutcomeKind::Ok, Verdict::Same, 0, 0, 0, summary.original_cost, 0, {}, {}});
    return {};
}

// Evaluates proposals [from, end) of a batch; the others were evaluated before an interruption. `compared`: the
// incumbent when the batch began.
Result<std::vector<StepRecord>> TuneRun::Impl::evaluate(const std::vector<Proposal>& batch, std::size_t from,
                                                        const Incumbent& compared,
                                                        const std::stop_token& stop) {
    std::vector<StepRecord> records;
    std::vector<std::size_t> fresh, requests;                // indices in records
    std::unordered_map<Hash128, std::size_t> in_batch;       // -> index in records
    std::vector<std::pair<std::size_t, std::size_t>> twins;  // later and earlier record of the same words
    for (std::size_t i = from; i < batch.size(); ++i) {
        StepRecord record;
        record.step = next_step + static_cast<StepId>(i - from);
        record.parent = batch[i].parent;
        record.mutation = batch[i].mutation;
        record.schedule_hash = batch[i].result.hash();
        if (is_request(batch[i])) {
            has_requests = true;
            requests.push_back(i - from);
            records.push_back(std::move(record));
            continue;
        }
        const bool settles = may_become_best(batch[i]);
        const Outcome* seen = known.find(record.schedule_hash, settles);
        const auto [twin, first] = in_batch.try_emplace(record.schedule_hash, i - from);
        // The outcome of a test does not replace that of a candidate for the best.
        const bool again = !first && settles && !may_become_best(batch[from + twin->second]);
        if (again) twin->second = i - from;
        record.repeated = seen != nullptr || (!first && !again);
        if (seen != nullptr) {
            record.outcome = *seen;
            record.reference_step = known.step_of(record.schedule_hash);
        }
        if (!record.repeated)
            fresh.push_back(i - from);
        else if (seen == nullptr)
            twins.emplace_back(i - from, twin->second);
        records.push_back(std::move(record));
    }
    TRY(screen(batch, fresh, from, records, compared, stop));
    TRY(measure_requests(batch, requests, from, records, stop));
    for (const std::size_t i : fresh)
        known.remember(records[i].schedule_hash, records[i].step, records[i].outcome,
                       may_become_best(batch[from + i]));
    for (const auto& [later, earlier] : twins) {
        records[later].outcome = without_raw(records[earlier].outcome);
        records[later].reference_step = records[earlier].step;
    }
    return records;
}

// Fills in the outcomes of the records `index`, whose schedules are not known. records[0] belongs to
// batch[from].
Status TuneRun::Impl::screen(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index,
                             std::size_t from, std::vector<StepRecord>& records, const Incumbent& compared,
                             const std::stop_token& stop) {
    if (index.empty()) return {};
    std::vector<Schedule> fresh;
    fresh.reserve(index.size());
    for (const std::size_t i : index)
        fresh.push_back(batch[from + i].result);
    // A deterministic evaluator compares with the start at once, so that no rounding adds up along the way.
    const Incumbent reference = promoter.exact() ? Incumbent{context.start, {}} : compared;
    auto outcomes = TRY(evaluator.evaluate(fresh, reference.schedule, Effort::Screen, stop));
    if (outcomes.size() != fresh.size()) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
        return fail(ErrorCode::Worker, fmt::format("the evaluator returned {} outcomes for {} candidates",
                                                   outcomes.size(), fresh.size()));
    }
    for (std::size_t k = 0; k < fresh.size(); ++k) {
        StepRecord& record = records[index[k]];
        const Outcome& screened = outcomes[k];
        record.outcome = chained(screened, reference);
        record.reference_step = reference.step;
        if (!may_become_best(batch[from + index[k]]) ||
            !promoter.worth_confirming(screened, record.outcome, incumbent))
            continue;
        bool confirmed = promoter.exact();
        if (!confirmed) {
            announce(RunPhase::Confirming);
            auto promoted = TRY(promoter.confirm(fresh[k], incumbent, stop));
            announce(RunPhase::Running);
            record.outcome = std::move(promoted.outcome);
            record.reference_step = promoted.reference_step;
            confirmed = promoted.confirmed;
        }
        record.best = confirmed && promoter.becomes_best(record.outcome, incumbent, closing);
        if (record.best) take_best(record, fresh[k]);
    }
    return {};
}

// Those that ask for the same are measured together.
Status TuneRun::Impl::measure_requests(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index,
                           std::size_t from, std::vector<StepRecord>& records, const std::stop_token& stop) {
    for (std::size_t first = 0; first < index.size();) {
        const MeasureRequest& asked = *batch[from + index[first]].request;
        std::size_t end = first + 1;
        while (end < index.size() && *batch[from + index[end]].request == asked)
            ++end;
        std::vector<Schedule> schedules;
        for (std::size_t k = first; k < end; ++k)
            schedules.push_back(batch[from + index[k]].result);
        Sampling sampling = asked.sampling;
        if (asked.effort != Effort::Confirm && sampling.pairs == 0) sampling.by_noise = true;
        const bool claim = asked.effort == Effort::Confirm;
        if (claim) announce(RunPhase::Confirming);
        auto outcomes = evaluator.measure(schedules, context.start, asked.effort, sampling, stop);
        if (claim) announce(RunPhase::Running);
        if (!outcomes) return fail(outcomes.error());
        if (outcomes->size() != schedules.size()) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
            return fail(ErrorCode::Worker, "the evaluator returned no outcome for a candidate");
        }
        for (std::size_t k = first; k < end; ++k) {
            StepRecord& record = records[index[k]];
            record.outcome = std::move((*outcomes)[k - first]);
            record.best = claim && promoter.becomes_best(record.outcome, incumbent, closing);
            if (record.best) take_best(record, schedules[k - first]);
        }
        first = end;
    }
    return {};
}

// The claims at the end of a run. They are made after a stop too: a claim takes less than a second, and
// without it the run has no result.
Status TuneRun::Impl::close() {
    constexpr int kMostRounds = 12;
    if (promoter.exact()) return {};
    closing = true;
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<Proposal> batch = searcher->close(settings.batch);
        if (batch.empty()) return {};
        auto records = TRY(evaluate(batch, 0, incumbent, {}));
        TRY(settle(batch, std::move(records), 0));
    }
    return {};
}

void TuneRun::Impl::take_best(const StepRecord& record, const Schedule& schedule) {
    incumbent = {schedule, without_raw(record.outcome), record.step};
    summary.best_step = record.step;
}

ObserveResult TuneRun::Impl::observe(const std::vector<StepRecord>& records) {
    std::vector<Observation> observations;
    observations.reserve(records.size());
    for (const StepRecord& record : records)
        observations.push_back({record.step, record.outcome, record.best, evaluator.exact()});
    return searcher->observe(observations);
}

Status TuneRun::Impl::log_step(const StepRecord& record, const Schedule& schedule) {
    ++summary.steps;
    summary.evaluated += !record.repeated;
    summary.repeated += record.repeated;
    summary.failed += !record.outcome.ok();
    if (sink) TRY(sink->append(record));
    if (listener) {
        listener->on_step(record, schedule);
        if (record.best) listener->on_best(record, schedule);
    }
    return {};
}

Status TuneRun::Impl::report(const ObserveResult& result, StepId last) {
    const auto emit = [&](const std::string& name, double value) -> Status {
        if (listener) listener->on_metric(last, name, value);
        return sink ? sink->metric(last, name, value) : Status{};
    };
    for (const SearchMetric& metric : result.metrics)
        TRY(emit(metric.name, metric.value));
    if (listener && !result.doing.empty()) listener->on_doing(result.doing);
    for (const double value : result.episode_return) {
        if (listener) listener->on_episode(last, value);
        TRY(emit("episode_return", value));
    }
    return {};
}

// The searcher observes the whole batch; the part that is not in the log is logged.
Status TuneRun::Impl::settle(const std::vector<Proposal>& batch, std::vector<StepRecord> records,
                             std::size_t logged) {
    const ObserveResult result = observe(records);
    for (std::size_t i = logged; i < records.size(); ++i) {
        StepRecord& record = records[i];
        record.reward = i < result.reward.size() ? result.reward[i] : 0;
        record.accepted = i < result.accepted.size() && result.accepted[i];
        record.time_us = microseconds();
        TRY(log_step(record, batch[i].result));
    }
    next_step = std::max(next_step, records.back().step + 1);
    return report(result, records.back().step);
}

// The searcher prefetches meanwhile, so that the GPU waits less. Not with the model, which uses the cores itself.
Result<std::vector<StepRecord>> TuneRun::Impl::measure(const std::vector<Proposal>& batch, std::size_t from,
                                                       const Incumbent& compared,
                                                       const std::stop_token& stop) {
    if (promoter.exact()) return evaluate(batch, from, compared, stop);
    if (!prefetcher) prefetcher.emplace();
    prefetcher->start([this] { searcher->prefetch(settings.batch); });
    auto records = evaluate(batch, from, compared, stop);
    const Stopwatch waits(summary.waited.ahead);
    prefetcher->wait();
    return records;
}

Result<RunEnd> TuneRun::Impl::loop(const std::stop_token& stop, const PauseGate* gate) {
    while (true) {
        if (stop.stop_requested()) return RunEnd::Stopped;
        if (gate && gate->paused()) {
            const Clock::time_point from = settings.clock();
            if (sink) TRY(sink->flush());
            announce(RunPhase::Paused);
            gate->wait(stop);
            paused += settings.clock() - from;
            continue;
        }
        announce(RunPhase::Running);
        if (open_batch.empty() && (steps_left() == 0 || out_of_time())) return RunEnd::Budget;
        std::vector<Proposal> batch = std::exchange(open_batch, {});
        std::vector<StepRecord> records = std::exchange(open_done, {});
        const std::size_t logged = records.size();
        const auto left = static_cast<std::size_t>(std::min<std::uint64_t>(settings.batch, steps_left()));
        if (batch.empty()) {
            const Stopwatch waits(summary.waited.proposals);
            batch = searcher->propose(left);
            if (batch.empty()) return RunEnd::Exhausted;
        } else {
            if (batch.size() > logged + left)
                batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(logged + left), batch.end());
            if (batch.empty()) return RunEnd::Budget;
        }
        const Incumbent before = incumbent;
        const StepId best_before = summary.best_step;
        auto fresh = measure(batch, logged, std::exchange(open_reference, {}).value_or(before), stop);
        if (!fresh) {
            // Nothing of this batch is logged; a resumed run proposes it again.
            incumbent = before;
            summary.best_step = best_before;
            if (fresh.error().code == ErrorCode::Cancelled) return RunEnd::Stopped;
            return lose_evaluator(fresh.error());
        }
        const Stopwatch waits(summary.waited.decisions);
        std::move(fresh->begin(), fresh->end(), std::back_inserter(records));
        TRY(settle(batch, std::move(records), logged));
    }
}

Result<RunSummary> TuneRun::Impl::finish(RunEnd end) {
    summary.end = end;
    summary.best = incumbent.outcome.speedup;
    summary.best_cost = incumbent.outcome.cost;
    summary.seconds = std::chrono::duration<double>(ran()).count();
    if (sink) {
        TRY(sink->flush());
        TRY(sink->finish(summary));
    }
    announce(RunPhase::Finished);
    return summary;
}

Result<RunSummary> TuneRun::Impl::run(const std::stop_token& stop, const PauseGate* gate) {
    began = settings.clock();
    paused = {};
    const StepId best = summary.best_step;
    summary = {};
    summary.best_step = best;
    if (next_step == 1 && settings.first_step > 1)
        return fail(ErrorCode::BadUse, "a run that continues at a later step needs resume_from() first");
    TRY(prepare());
    auto end = loop(stop, gate);
    if (end && *end != RunEnd::EvaluatorLost)
        if (auto closed = close(); !closed) end = lose_evaluator(closed.error());
    if (!end) {
        announce(RunPhase::Finished);
        return fail(end.error());
    }
    return finish(*end);
}

TuneRun::TuneRun(SearchContext context, RunSettings settings, std::unique_ptr<Searcher> searcher,
                 Evaluator& evaluator, RunSink* sink, RunListener* listener)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(settings), std::move(searcher), evaluator,
                                   sink, listener)) {}
TuneRun::~TuneRun() = default;

Status TuneRun::resume_from(RunHistory& history) {
    return impl_->resume(history);
}
Status TuneRun::resume_from(const std::vector<StepRecord>& logged) {
    LoggedSteps history(impl_->context.start, logged);
    return impl_->resume(history);
}
Result<RunSummary> TuneRun::run(std::stop_token stop, const PauseGate* gate) {
    return impl_->run(stop, gate);
}
const Schedule& TuneRun::best() const {
    return impl_->incumbent.schedule;
}

}  // namespace cubinlab
