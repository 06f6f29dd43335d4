// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/run_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/version.h"
#include "core/evidence/run_curve.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/learner_rule.h"
#include "core/tuning/resumed_run.h"
#include "core/search/engine/tune_run.h"

namespace cubinlab {
namespace {

bool same_number(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}) ||
           (std::isnan(a) && std::isnan(b));
}

// The log as resuming reads it. It keeps the last pages, for the comparison with what the agent makes of their steps.
class Replayed final : public RunHistory {
  public:
    Replayed(RunHistory& log, std::stop_token stop) : log_(log), stop_(std::move(stop)) {}
    StepId last() const override { return log_.last(); }
    Result<std::vector<StepRecord>> steps(StepId after, std::size_t count) override {
        if (stop_.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while proposing steps again");
        auto page = TRY(log_.steps(after, count));
        // Those that came while this was read are another reading's.
        std::erase_if(page, [this](const StepRecord& record) { return record.step > last(); });
        before_ = std::exchange(now_, page);
        return page;
    }
    Result<Schedule> schedule_at(StepId step) override { return log_.schedule_at(step); }

    const StepRecord* find(StepId step) const {
        for (const auto* page : {&now_, &before_}) {
            const auto found = std::lower_bound(page->begin(), page->end(), step,
                                                [](const StepRecord& r, StepId s) { return r.step < s; });
            if (found != page->end() && found->step == step) return &*found;
        }
        return nullptr;
    }

  private:
    RunHistory& log_;
    std::stop_token stop_;
    std::vector<StepRecord> now_, before_;
};

// What the log has beside what the agent made of its steps.
struct Logged {
    const RunInfo& run;
    const Replayed& steps;
    std::map<std::pair<StepId, std::string>, double> metrics;  // those not made again yet
    std::uint64_t decided = 0;
    Deviations found;
    bool ruled;  // reward and acceptance are the rule's affair, which needs no agent

    // Steps of a batch that an interruption cut in two were told to the agent before the others were there.
    StepId whole_from(StepId first, StepId last) const {
        for (auto part = run.later_parts.rbegin(); part != run.later_parts.rend(); ++part)
            if (part->first > first && part->first <= last) return part->first;
        // One that a version before schema 6 went on with has only its clock.
        const StepRecord* before = steps.find(first);
        for (StepId step = first + 1; step <= last; ++step) {
            const StepRecord* now = steps.find(step);
            if (before != nullptr && now != nullptr && now->time_us < before->time_us) return step;
            before = now;
        }
        return first;
    }

    void compare(const std::vector<Observation>& told, const ObserveResult& made) {
        if (told.empty()) return;
        const StepId last = told.back().step, from = whole_from(told.front().step, last);
        for (std::size_t i = 0; i < told.size(); ++i) {
            const StepRecord* record = steps.find(told[i].step);
            if (record == nullptr || told[i].step < from) continue;
            ++decided;
            if (ruled) continue;
            const double reward = i < made.reward.size() ? made.reward[i] : 0;
            const bool accepted = i < made.accepted.size() && made.accepted[i];
            if (!same_number(record->reward, std::isfinite(reward) ? reward : 0))
                found.add(at_step(run.id, record->step),
                          fmt::format("reward is {:.6g}, the agent makes it {:.6g}", record->reward, reward));
            if (record->accepted != accepted)
                found.add(
                    at_step(run.id, record->step),
                    fmt::format("accepted is {:d}, the agent makes it {:d}", record->accepted, accepted));
        }
        for (const SearchMetric& metric : made.metrics)
            compare(last, metric.name, metric.value);
        if (!made.episode_return.empty()) compare(last, "episode_return", made.episode_return.back());
        // What was made of a batch before it was cut, and is not made again.
        if (from > told.front().step)
            std::erase_if(metrics, [&](const auto& entry) { return entry.first.first == from - 1; });
    }

    void compare(StepId step, const std::string& name, double value) {
        const auto stored = metrics.find({step, name});
        if (stored == metrics.end()) {
            found.add(at_step(run.id, step),
                      fmt::format("metrics has no {}, the agent makes it {:.6g}", name, value));
            return;
        }
        if (!same_number(stored->second, std::isfinite(value) ? value : std::nan("")))
            found.add(at_step(run.id, step), fmt::format("{} of metrics is {:.6g}, the agent makes it {:.6g}",
                                                         name, stored->second, value));
        metrics.erase(stored);
    }
};

// The agent, and who reads what it answers.
class Watched final : public Searcher {
  public:
    Watched(std::unique_ptr<Searcher> agent, Logged& log) : agent_(std::move(agent)), log_(log) {}
    std::string name() const override { return agent_->name(); }
    std::vector<Proposal> propose(std::size_t n) override { return agent_->propose(n); }
    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult made = agent_->observe(observations);
        log_.compare(observations, made);
        return made;
    }

  private:
    std::unique_ptr<Searcher> agent_;
    Logged& log_;
};

// Nothing is evaluated: the log says what came of each step.
class NoEvaluator final : public Evaluator {
  public:
    explicit NoEvaluator(EvaluatorInfo info) : info_(std::move(info)) {}
    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule>, const Schedule&, Effort,
                                          std::stop_token) override {
        return fail(ErrorCode::BadUse, "nothing is evaluated again");
    }

  private:
    EvaluatorInfo info_;
};

// By hand every step is made on the one before, taken as it is.
Result<RunAgain> by_hand(SessionReader& reader, const RunInfo& run, Deviations& out,
                         const std::stop_token& stop) {
    RunAgain again;
    StepId before = 0;
    TRY(each_step(
        reader, run.id,
        [&](StepRecord& record) -> Status {
            const std::string where = at_step(run.id, record.step);
            if (record.parent != before)
                out.add(where, fmt::format("parent is {}, by hand it is the step before", record.parent));
            if (!record.accepted) out.add(where, "accepted is 0, by hand every step is");
            if (!same_number(record.reward, record.outcome.log_speedup))
                out.add(where, fmt::format("reward is {:.6g}, by hand it is log_speedup, {:.6g}",
                                           record.reward, record.outcome.log_speedup));
            before = record.step;
            ++again.decided;
            return {};
        },
        stop));
    return again;
}

bool differs_between_machines(const std::string& agent) {
    for (const SearcherDescription& known : searcher_descriptions())
        if (known.name == agent) return known.needs_torch;
    return false;
}

std::string by_another_version(const RunInfo& run, const Deviations& found) {
    const Deviation& first = found.kept().front();
    return fmt::format("another version made the run ({}): {}: {}", run.version, first.where, first.what);
}

Result<RunAgain> ask_again(const std::shared_ptr<SessionReader>& reader, const KernelPtr& kernel,
                           const RunInfo& run, bool ruled, Deviations& out, const std::stop_token& stop) {
    const std::unique_ptr<RunHistory> log = history_of(reader, run, kernel);
    const bool ours = run.version == version_text();
    auto checker = TRY(HazardChecker::create(kernel));
    auto start = TRY(reader->schedule_at(kernel, run.id, 0));
    const ResumedRun resumed{run, start, nullptr, 0};
    auto agent = make_searcher(run.agent, resumed.context(kernel, checker));
    if (!agent) {
        const std::string why = fmt::format("its agent cannot be asked again: {}", agent.error().message());
        if (ours && agent.error().code != ErrorCode::Missing) out.add(fmt::format("run {}", run.id), why);
        return RunAgain{0, why, 0};
    }
    Replayed history(*log, stop);
    Logged logged{run, history, {}, 0, {}, ruled};
    auto metrics = TRY(reader->metrics(run.id));
    for (MetricPoint& point : metrics)
        logged.metrics[{point.step, point.name}] = point.value;
    NoEvaluator judge(run.evaluator);
    RunSettings settings;
    settings.agent = run.agent;
    settings.agent_settings = run.agent_settings;
    settings.seed = run.seed;
    settings.batch = run.batch != 0 ? run.batch : batch_for(run.evaluator);
    TuneRun again({kernel, checker, run.seed, run.agent_settings, run.locked, {}, start}, settings,
                  std::make_unique<Watched>(std::move(*agent), logged), judge, nullptr, nullptr);
    const Status done = again.resume_from(history);
    RunAgain result{logged.decided, {}, 0};
    if (!done && done.error().code != ErrorCode::Corrupt) return fail(done.error());
    if (!done) logged.found.add(fmt::format("run {}", run.id), done.error().what);
    // At the end of a run the agent was told of no whole batch.
    if (done && logged.decided == run.steps)
        for (const auto& [at, value] : logged.metrics)
            logged.found.add(
                at_step(run.id, at.first),
                fmt::format("metrics has {} {:.6g}, the agent says nothing there", at.second, value));
    if (result.decided < run.steps)
        result.why = done ? "an agent is told of whole batches, and the others are the ends of the run or of "
                            "parts of it"
                          : "its agent does not go on as the log does";
    if (logged.found.empty()) return result;
    if (ours && !differs_between_machines(run.agent)) {
        for (const Deviation& one : logged.found.kept())
            out.add(one.where, one.what);
        return result;
    }
    const Deviation& first = logged.found.kept().front();
    result.why = ours ? fmt::format("an agent whose arithmetic may differ between machines: {}: {}",
                                    first.where, first.what)
                      : by_another_version(run, logged.found);
    return result;
}

}  // namespace

Result<RunAgain> decide_again(std::shared_ptr<SessionReader> reader, const KernelPtr& kernel,
                              const RunInfo& run, Deviations& out, std::stop_token stop) {
    if (run.agent == "hand") return by_hand(*reader, run, out, stop);
    Deviations found;
    const auto by_rule = TRY(check_learner_rule(*reader, run, found, stop));
    auto again = TRY(ask_again(reader, kernel, run, by_rule != 0, out, stop));
    again.by_rule = by_rule;
    if (run.version == version_text())
        for (const Deviation& one : found.kept())
            out.add(one.where, one.what);
    else if (!found.empty())
        again.why = by_another_version(run, found);
    return again;
}

}  // namespace cubinlab
