// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/tune_run.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/search/known_outcomes.h"
#include "core/search/promotion.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kStateForm = 2;
constexpr std::size_t kResumePage = 4096;
constexpr int kMostEndSteps = 64;  // of one end of a run; close() has twelve rounds

}  // namespace

int screening_pairs(double pair_deviation) {
    constexpr double kRest = 0.0025, kRatio = 1.5;  // see searcher.h; the root of 2
    return std::clamp(static_cast<int>(std::lround(kRatio * pair_deviation / kRest)), 2, 16);
}

struct TuneRun::Impl {
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
    std::string state;

    StepId state_at = 0;    // step of the newest state that is kept
    bool by_looks = false;  // something was decided by a look, so that the run's end may have claimed

    // A batch that a kill cut in two: the first part is in the log, the rest still has to be evaluated.
    std::vector<Proposal> open_batch;
    std::vector<StepRecord> open_done;
    std::optional<Incumbent> open_reference;  // what its first part was compared with

    Impl(SearchContext c, RunSettings s, std::unique_ptr<Searcher> search, Evaluator& e, RunSink* log,
         RunListener* view)
        : context(std::move(c)),
          settings(std::move(s)),
          searcher(std::move(search)),
          evaluator(e),
          sink(log),
          listener(view),
          incumbent{context.start, {}, true},
          promoter(evaluator, context.start) {
        settings.batch = std::max<std::size_t>(settings.batch, 1);
        if (!settings.clock) settings.clock = [] { return Clock::now(); };
        incumbent.outcome.kind = OutcomeKind::Ok;
        incumbent.outcome.verdict = Verdict::Same;
    }

    void announce(const std::string& now) {
        if (state == now) return;
        state = now;
        if (listener) listener->on_state(now);
    }

    Clock::duration ran() const { return settings.clock() - began - paused; }

    std::int64_t microseconds() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(ran()).count();
    }

    bool out_of_time() const { return settings.budget.time && ran() >= *settings.budget.time; }

    // Steps of the whole run, those before an interruption included, count against the budget.
    std::uint64_t steps_left() const {
        if (!settings.budget.steps) return settings.batch;
        const auto used = static_cast<std::uint64_t>(next_step - 1);
        return used >= *settings.budget.steps ? 0 : *settings.budget.steps - used;
    }

    // An exact figure settles everything at once.
    bool looked_at(const Proposal& proposal) const { return proposal.look && !promoter.exact(); }
    bool may_become_best(const Proposal& proposal) const {
        return (proposal.promote && !proposal.look) || promoter.exact();
    }

    Status prepare();
    Result<std::vector<StepRecord>> evaluate(const std::vector<Proposal>& batch, std::size_t from,
                                             const Incumbent& compared, const std::stop_token& stop);
    Status screen(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index, std::size_t from,
                  std::vector<StepRecord>& records, const Incumbent& compared, const std::stop_token& stop);
    Status look(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index, std::size_t from,
                std::vector<StepRecord>& records, const std::stop_token& stop);
    Status pass_over(const StepRecord& logged, RunHistory& history);
    bool holds(const Outcome& claimed) const;
    Status close();
    Status settle(const std::vector<Proposal>& batch, std::vector<StepRecord> records, std::size_t logged);
    Status keep_state();
    std::vector<std::byte> state_bytes() const;
    Status restore(const SavedState& saved, RunHistory& history);
    ObserveResult observe(const std::vector<StepRecord>& records);
    Status log_step(const StepRecord& record, const Schedule& schedule);
    Status report(const ObserveResult& result, StepId last);
    Status resume(RunHistory& history);
    Status propose_again(RunHistory& history);
    Status match(const Proposal& proposal, const StepRecord& record) const;
    void take_best(const StepRecord& record, const Schedule& schedule);
    Result<RunSummary> run(const std::stop_token& stop, const PauseGate* gate);
    Result<std::string> loop(const std::stop_token& stop, const PauseGate* gate);
    Result<RunSummary> finish(std::string end);
};

Status TuneRun::Impl::prepare() {
    announce("preparing");
    summary.original_cost = evaluator.info().original_cost;
    if (incumbent.outcome.cost == 0) incumbent.outcome.cost = summary.original_cost;
    // The start's own words are known too: a searcher that walks back to it costs nothing.
    known.remember(context.start.hash(), 0,
                   incumbent.is_start
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
    std::vector<std::size_t> fresh, looks;                   // indices in records
    std::unordered_map<Hash128, std::size_t> in_batch;       // -> index in records
    std::vector<std::pair<std::size_t, std::size_t>> twins;  // later and earlier record of the same words
    for (std::size_t i = from; i < batch.size(); ++i) {
        StepRecord record;
        record.step = next_step + static_cast<StepId>(i - from);
        record.parent = batch[i].parent;
        record.mutation = batch[i].mutation;
        record.schedule_hash = batch[i].result.hash();
        if (looked_at(batch[i])) {
            by_looks = true;
            looks.push_back(i - from);
            records.push_back(std::move(record));
            continue;
        }
        const bool settles = may_become_best(batch[i]);
        const Outcome* seen = known.find(record.schedule_hash, settles);
        const auto [twin, first] = in_batch.try_emplace(record.schedule_hash, i - from);
        // A twin that was only to be tested does not answer for one that is put up.
        const bool again = !first && settles && !may_become_best(batch[from + twin->second]);
        if (again) twin->second = i - from;
        record.repeated = seen != nullptr || (!first && !again);
        if (seen != nullptr) record.outcome = *seen;
        if (!record.repeated)
            fresh.push_back(i - from);
        else if (seen == nullptr)
            twins.emplace_back(i - from, twin->second);
        records.push_back(std::move(record));
    }
    if (auto measured = screen(batch, fresh, from, records, compared, stop); !measured)
        return fail(measured.error());
    if (auto looked = look(batch, looks, from, records, stop); !looked) return fail(looked.error());
    for (const std::size_t i : fresh)
        known.remember(records[i].schedule_hash, records[i].step, records[i].outcome,
                       may_become_best(batch[from + i]));
    for (const auto& [later, earlier] : twins) {
        records[later].outcome = without_raw(records[earlier].outcome);
    }
    return records;
}

// Fills in the outcomes of the records `index`, whose words have not been seen before; the first record is that
// of batch[from].
Status TuneRun::Impl::screen(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index,
                             std::size_t from, std::vector<StepRecord>& records, const Incumbent& compared,
                             const std::stop_token& stop) {
    if (index.empty()) return {};
    std::vector<Schedule> fresh;
    fresh.reserve(index.size());
    for (const std::size_t i : index)
        fresh.push_back(batch[from + i].result);
    // A deterministic evaluator compares with the start at once, so that no rounding adds up along the way.
    const Incumbent reference = promoter.exact() ? Incumbent{context.start, {}, true} : compared;
    auto outcomes = evaluator.evaluate(fresh, reference.schedule, Effort::Screen, stop);
    if (!outcomes) return fail(outcomes.error());
    if (outcomes->size() != fresh.size()) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
        return fail(ErrorCode::Worker, fmt::format("the evaluator returned {} outcomes for {} candidates",
                                                   outcomes->size(), fresh.size()));
    }
    for (std::size_t k = 0; k < fresh.size(); ++k) {
        StepRecord& record = records[index[k]];
        const Outcome& screened = (*outcomes)[k];
        record.outcome = chained(screened, reference, promoter.exact());
        if (!may_become_best(batch[from + index[k]])) continue;
        // An earlier one of this batch may have become the incumbent meanwhile.
        if (!promoter.looks_better(screened) || record.outcome.log_speedup <= incumbent.outcome.log_speedup)
            continue;
        if (!promoter.exact()) {
            announce("confirming");
            auto promoted = promoter.consider(fresh[k], screened, incumbent, stop);
            if (!promoted) return fail(promoted.error());
            announce("running");
            record.outcome = std::move(promoted->outcome);
            record.best = promoted->best;
        } else {
            record.best = true;
        }
        if (record.best) take_best(record, fresh[k]);
    }
    return {};
}

// A claim in mid-run must not be clearly behind the last one that held: by about a standard error. At the end
// the searcher has compared them.
bool TuneRun::Impl::holds(const Outcome& claimed) const {
    if (!claimed.ok() || claimed.verdict != Verdict::Faster) return false;
    const double error = (claimed.high - claimed.low) / 6;
    return closing || claimed.log_speedup + error > incumbent.outcome.log_speedup;
}

// Those that ask for the same are measured together.
Status TuneRun::Impl::look(const std::vector<Proposal>& batch, const std::vector<std::size_t>& index,
                           std::size_t from, std::vector<StepRecord>& records, const std::stop_token& stop) {
    for (std::size_t first = 0; first < index.size();) {
        const Look& asked = *batch[from + index[first]].look;
        std::size_t end = first + 1;
        while (end < index.size() && *batch[from + index[end]].look == asked)
            ++end;
        std::vector<Schedule> schedules;
        for (std::size_t k = first; k < end; ++k)
            schedules.push_back(batch[from + index[k]].result);
        Sampling sampling = asked.sampling;
        if (asked.effort == Effort::Screen && sampling.pairs == 0)
            sampling.pairs = screening_pairs(evaluator.info().aa_spread);
        const bool claim = asked.effort == Effort::Confirm;
        if (claim) announce("confirming");
        auto outcomes = evaluator.look(schedules, context.start, asked.effort, sampling, stop);
        if (claim) announce("running");
        if (!outcomes) return fail(outcomes.error());
        if (outcomes->size() != schedules.size()) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
            return fail(ErrorCode::Worker, "the evaluator returned no outcome for a candidate");
        }
        for (std::size_t k = first; k < end; ++k) {
            StepRecord& record = records[index[k]];
            record.outcome = std::move((*outcomes)[k - first]);
            record.best = claim && holds(record.outcome);
            if (record.best) take_best(record, schedules[k - first]);
        }
        first = end;
    }
    return {};
}

// What the searcher would claim, at the end. A stop asks for no new search, not for a run without a result; a
// claim takes less than a second.
Status TuneRun::Impl::close() {
    constexpr int kMostRounds = 12;
    if (promoter.exact()) return {};
    closing = true;
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<Proposal> batch = searcher->close(settings.batch);
        if (batch.empty()) return {};
        auto records = evaluate(batch, 0, incumbent, {});
        if (!records) return fail(records.error());
        if (auto settled = settle(batch, std::move(*records), 0); !settled) return settled;
    }
    return {};
}

void TuneRun::Impl::take_best(const StepRecord& record, const Schedule& schedule) {
    incumbent = {schedule, without_raw(record.outcome), false};
    summary.best_step = record.step;
}

ObserveResult TuneRun::Impl::observe(const std::vector<StepRecord>& records) {
    std::vector<Observation> observations;
    observations.reserve(records.size());
    for (const StepRecord& record : records)
        observations.push_back({record.step, record.outcome, record.best});
    return searcher->observe(observations);
}

Status TuneRun::Impl::log_step(const StepRecord& record, const Schedule& schedule) {
    ++summary.steps;
    summary.evaluated += !record.repeated;
    summary.repeated += record.repeated;
    summary.failed += !record.outcome.ok();
    if (sink)
        if (auto written = sink->append(record); !written) return written;
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
        if (auto written = emit(metric.name, metric.value); !written) return written;
    if (listener && !result.doing.empty()) listener->on_doing(result.doing);
    for (const double value : result.episode_return) {
        if (listener) listener->on_episode(last, value);
        if (auto written = emit("episode_return", value); !written) return written;
    }
    return {};
}

// The whole batch goes to the searcher, the part that is not in the log yet to the log.
Status TuneRun::Impl::settle(const std::vector<Proposal>& batch, std::vector<StepRecord> records,
                             std::size_t logged) {
    const ObserveResult result = observe(records);
    for (std::size_t i = logged; i < records.size(); ++i) {
        StepRecord& record = records[i];
        record.reward = i < result.reward.size() ? result.reward[i] : 0;
        record.accepted = i < result.accepted.size() && result.accepted[i];
        record.time_us = microseconds();
        if (auto written = log_step(record, batch[i].result); !written) return written;
    }
    next_step = records.back().step + 1;
    return report(result, records.back().step);
}

Status TuneRun::Impl::match(const Proposal& proposal, const StepRecord& record) const {
    if (proposal.parent == record.parent && proposal.mutation == record.mutation &&
        proposal.result.hash() == record.schedule_hash)
        return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the log does not continue this run: step {} is '{}' of step {}, the agent "
                            "proposes '{}' of step {}. It was made by other "
                            "settings or another version; start a new run instead",
                            record.step, record.mutation.encode(), record.parent, proposal.mutation.encode(),
                            proposal.parent),
                fmt::format("step {}", record.step));
}

// Everything that decides what follows a batch. What the log has is not stored again.
std::vector<std::byte> TuneRun::Impl::state_bytes() const {
    StateWriter own;
    if (!searcher->save_state(own)) return {};
    StateWriter out;
    out.number(kStateForm);
    out.text(searcher->name());
    out.text(context.settings_json);
    out.number(context.seed);
    out.number(settings.batch);
    out.hash(context.start.hash());
    out.number(context.locked.size());
    out.number(static_cast<std::uint64_t>(summary.best_step));
    out.flag(by_looks);
    known.save(out);
    out.append(own);
    return out.bytes();
}

Status TuneRun::Impl::keep_state() {
    const std::vector<std::byte> bytes = state_bytes();
    if (bytes.empty()) return {};
    state_at = next_step - 1;
    if (bytes.size() > kMostStateBytes) return {};
    return sink->state(state_at, bytes);
}

// On an error nothing has changed but what prepare() made.
Status TuneRun::Impl::restore(const SavedState& saved, RunHistory& history) {
    StateReader in(saved.bytes, saved.step, context, history);
    in.same(kStateForm);
    const bool ours = in.text(256) == searcher->name() && in.text(1 << 16) == context.settings_json &&
                      in.number(~std::uint64_t{0}) == context.seed &&
                      in.number(~std::uint64_t{0}) == settings.batch && in.hash() == context.start.hash() &&
                      in.number(~std::uint64_t{0}) == context.locked.size();
    if (!ours || saved.step > history.last()) in.wrong("it is of another run");
    const StepId best = in.step();
    const bool looked = in.flag();
    Incumbent found = incumbent;
    if (in.good() && best != 0) {
        auto record = history.steps_at({&best, 1});
        auto schedule = history.schedule_at(best);
        if (!record || !schedule || record->empty() || !record->front().best ||
            !context.checker->legal(*schedule))
            in.wrong("its best step is none");
        else
            found = {std::move(*schedule), without_raw(record->front().outcome), false};
    }
    KnownOutcomes restored = known;
    restored.restore(in, history);
    if (auto done = searcher->restore_state(in); !done) return done;
    incumbent = std::move(found);
    summary.best_step = best;
    by_looks = looked;
    known = std::move(restored);
    state_at = saved.step;
    next_step = saved.step + 1;
    return {};
}

Status TuneRun::Impl::resume(RunHistory& history) {
    if (next_step != 1 || !open_batch.empty())
        return fail(ErrorCode::BadUse, "a run can be resumed only before it starts");
    if (auto ready = prepare(); !ready) return ready;
    auto saved = history.state();
    if (!saved) return fail(saved.error());
    // A state that does not fit costs time, nothing else: then all steps are proposed again.
    if (*saved) (void)restore(**saved, history);
    return propose_again(history);
}

// A step of an earlier end of the run: a look at a finalist or a claim, which the agent is not told of again.
Status TuneRun::Impl::pass_over(const StepRecord& logged, RunHistory& history) {
    if (logged.step != next_step)
        return fail(ErrorCode::Corrupt, fmt::format("step {} is missing from the log", next_step));
    if (logged.best) {
        auto schedule = history.schedule_at(logged.step);
        if (!schedule) return fail(schedule.error());
        if (!context.checker->legal(*schedule))
            return fail(ErrorCode::Corrupt, fmt::format("step {} is not a legal schedule", logged.step));
        take_best(logged, *schedule);
    }
    ++next_step;
    return {};
}

// The steps after the state: the searcher proposes them once more, and each must be what the log has.
Status TuneRun::Impl::propose_again(RunHistory& history) {
    std::vector<StepRecord> page;
    std::size_t at = 0;  // in the page
    const auto more = [&]() -> Result<bool> {
        if (at < page.size()) return true;
        const StepId after = page.empty() ? next_step - 1 : page.back().step;
        if (after >= history.last()) return false;
        auto next = history.steps(after, kResumePage);
        if (!next) return fail(next.error());
        page = std::move(*next);
        at = 0;
        return !page.empty();
    };
    while (true) {
        auto any = more();
        if (!any) return fail(any.error());
        if (!*any) return {};
        // As much at once as the run asked for, whatever its budget then cut off.
        std::vector<Proposal> batch = searcher->propose(settings.batch);
        if (batch.empty())
            return fail(ErrorCode::Corrupt, "the log has steps after the agent had nothing left to try",
                        fmt::format("step {}", page[at].step));
        by_looks = by_looks || std::any_of(batch.begin(), batch.end(), [](const Proposal& proposal) {
                       return proposal.look.has_value();
                   });
        if (!promoter.exact() && by_looks) {
            for (int passed = 0;
                 *any && page[at].parent == 0 && !match(batch.front(), page[at]) && passed < kMostEndSteps;
                 ++passed) {
                if (auto taken = pass_over(page[at++], history); !taken) return taken;
                if (any = more(); !any) return fail(any.error());
            }
        }
        const Incumbent before = incumbent;
        std::vector<StepRecord> records;
        for (const Proposal& proposal : batch) {
            if (any = more(); !any) return fail(any.error());
            if (!*any) break;
            const StepRecord& logged = page[at++];
            const StepId step = next_step + static_cast<StepId>(records.size());
            if (logged.step != step)
                return fail(ErrorCode::Corrupt, fmt::format("step {} is missing from the log", step));
            if (auto same = match(proposal, logged); !same) return same;
            records.push_back(logged);
            if (!logged.repeated)
                known.remember(logged.schedule_hash, step, logged.outcome, may_become_best(proposal));
            if (logged.best) take_best(logged, proposal.result);
        }
        if (!records.empty()) next_step = records.back().step + 1;
        if (records.size() < batch.size()) {
            open_batch = std::move(batch);
            open_done = std::move(records);
            open_reference = before;
            return {};
        }
        observe(records);
    }
}

Result<std::string> TuneRun::Impl::loop(const std::stop_token& stop, const PauseGate* gate) {
    bool whole = false;  // the batch before
    while (true) {
        if (stop.stop_requested()) return "stopped";
        if (gate && gate->paused()) {
            const Clock::time_point from = settings.clock();
            if (sink)
                if (auto flushed = sink->flush(); !flushed) return fail(flushed.error());
            announce("paused");
            gate->wait(stop);
            paused += settings.clock() - from;
            continue;
        }
        announce("running");
        if (open_batch.empty() && (steps_left() == 0 || out_of_time())) {
            // A run that is given more later need not propose all that came since the last state again.
            if (sink && whole && next_step - 1 > state_at)
                if (auto kept = keep_state(); !kept) return fail(kept.error());
            return "budget";
        }
        std::vector<Proposal> batch = std::exchange(open_batch, {});
        std::vector<StepRecord> records = std::exchange(open_done, {});
        const auto asked = std::min<std::uint64_t>(settings.batch, steps_left());
        if (batch.empty()) batch = searcher->propose(asked);
        if (batch.empty()) return "exhausted";
        const std::size_t logged = records.size();
        const Incumbent before = incumbent;
        const StepId best_before = summary.best_step;
        auto fresh = evaluate(batch, logged, std::exchange(open_reference, {}).value_or(before), stop);
        if (!fresh) {
            // Nothing of this batch is logged: it never happened, and a resumed run proposes it again.
            incumbent = before;
            summary.best_step = best_before;
            if (fresh.error().code == ErrorCode::Cancelled) return "stopped";
            return "evaluator lost: " + fresh.error().message();
        }
        std::move(fresh->begin(), fresh->end(), std::back_inserter(records));
        if (auto settled = settle(batch, std::move(records), logged); !settled) return fail(settled.error());
        // After a batch that the budget cut short the agent knows less than it will when the run goes on.
        whole = logged != 0 || asked == settings.batch;
        if (sink && whole && next_step - 1 - state_at >= settings.state_every)
            if (auto kept = keep_state(); !kept) return fail(kept.error());
    }
}

Result<RunSummary> TuneRun::Impl::finish(std::string end) {
    summary.end = std::move(end);
    summary.best_log_speedup = incumbent.outcome.log_speedup;
    summary.best_low = incumbent.outcome.low;
    summary.best_high = incumbent.outcome.high;
    summary.best_cost = incumbent.outcome.cost;
    summary.seconds = std::chrono::duration<double>(ran()).count();
    if (sink) {
        if (auto flushed = sink->flush(); !flushed) return fail(flushed.error());
        if (auto written = sink->finish(summary); !written) return fail(written.error());
    }
    announce("finished");
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
    if (auto ready = prepare(); !ready) return fail(ready.error());
    auto end = loop(stop, gate);
    if (end && !end->starts_with("evaluator lost"))
        if (auto closed = close(); !closed) end = "evaluator lost: " + closed.error().message();
    if (!end) {
        announce("finished");
        return fail(end.error());
    }
    return finish(std::move(*end));
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
const Searcher& TuneRun::searcher() const {
    return *impl_->searcher;
}

}  // namespace cubinlab
