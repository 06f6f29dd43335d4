// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tune_starts.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/result/work_time.h"
#include "core/search/starts/start_searcher.h"
#include "core/tuning/resumed_run.h"

namespace cubinlab {
namespace {

constexpr std::size_t kStartsBatch = 32;  // compiled while the batch in front of it is measured

bool takes_schedules(const std::string& agent) {
    for (const SearcherDescription& description : searcher_descriptions())
        if (description.name == agent) return description.takes_schedules;
    return false;
}

// Null: evolution over keys alone.
Result<std::shared_ptr<OrderLearner>> learner_for(const StartSpace& space, const std::string& agent_settings,
                                                  std::uint64_t seed) {
    auto settings = TRY(construct_settings(agent_settings));
    if (!settings.on || space.units == 0) return std::shared_ptr<OrderLearner>();
    if (!space.facts)
        return fail(ErrorCode::Missing, "the policy that builds orders needs the kernel's PTX (--ptx FILE)", "construct");
    return std::make_shared<OrderLearner>(space.facts, std::move(settings), seed);
}

bool ends_the_tuning(RunEnd end) {
    return end == RunEnd::Stopped || end == RunEnd::EvaluatorLost;
}

}  // namespace

StartsTuning::Part StartsTuning::part_at(Schedule start, double share) const {
    return {in_.plan.settings.agent,
            in_.plan.settings.agent_settings,
            part_of(in_.request.budget, share),
            std::move(start),
            0,
            0,
            {}};
}

// A run that has ended is not run again: its log says what it found.
Result<EndedPart> StartsTuning::from_log(const Part& part, const RunInfo& run) const {
    EndedPart out{run, {}, part.start};
    auto reader = TRY(SessionReader::open(in_.request.session));
    out.summary.best_step = run.best_step;
    out.summary.end = RunEnd::Budget;
    if (run.best_step == 0) return out;
    const StepRecord best = TRY(reader->step(run.id, run.best_step));
    out.summary.best = best.outcome.speedup;
    out.best = TRY(reader->schedule_at(in_.request.kernel, run.id, run.best_step));
    return out;
}

Result<SearchContext> StartsTuning::context_of(const Part& part) const {
    const KernelPtr& kernel = part.start.kernel();
    CheckerPtr checker = in_.request.checker;
    if (kernel != in_.request.kernel) checker = TRY(HazardChecker::create(kernel));
    return SearchContext{kernel, checker, in_.plan.settings.seed, part.settings, {}, {}, part.start};
}

// The seconds that its log has count as spent.
Status StartsTuning::resume(TunePart& part, RunId run, const std::stop_token& stop) const {
    auto resumed = TRY(open_resumed_run(in_.request.session, in_.request.kernel, run, stop));
    part.settings.first_step = static_cast<std::uint64_t>(resumed.last()) + 1;
    part.run = std::move(resumed.run);
    part.history = std::move(resumed.history);
    if (in_.more && next_ + 1 == in_.earlier.size()) {
        part.settings.budget = *in_.more;
        // TuneRun counts the steps of the whole run.
        if (part.settings.budget.steps)
            *part.settings.budget.steps += static_cast<std::uint64_t>(part.history->last());
        return {};
    }
    if (!part.settings.budget.time) return {};
    auto reader = TRY(SessionReader::open(in_.request.session));
    WorkTime time;
    const auto figures = TRY(reader->figures(run, 0, 0));
    for (const StepFigure& step : figures)
        time.add(step.time_us);
    const std::chrono::milliseconds used(static_cast<std::int64_t>(1000 * time.seconds()));
    part.settings.budget.time = std::max(std::chrono::milliseconds(0), *part.settings.budget.time - used);
    return {};
}

Result<TunePart> StartsTuning::to_run(const Part& part, const std::stop_token& stop) {
    const bool over_starts = part.agent == kStartsAgent;
    TunePart out{.context = TRY(context_of(part)),
                 .settings = in_.plan.settings,
                 .searcher = nullptr,
                 .run = {},
                 .history = nullptr,
                 .starts = over_starts ? &in_.starts : nullptr};
    out.settings.agent = part.agent;
    out.settings.agent_settings = part.settings;
    out.settings.budget = part.budget;
    if (over_starts) {
        out.settings.batch = std::max(out.settings.batch, kStartsBatch);
        auto learner = TRY(learner_for(in_.starts.space(), in_.plan.settings.agent_settings, out.context.seed));
        out.searcher = std::make_unique<StartSearcher>(in_.request.kernel, in_.starts.space(), in_.starts,
                                                       out.context.seed, std::move(learner));
    } else {
        out.searcher = TRY(make_searcher(part.agent, out.context));
    }
    if (next_ < in_.earlier.size()) {
        TRY(resume(out, in_.earlier[next_].id, stop));
        return out;
    }
    out.run = new_run(out.context, out.settings, in_.plan.evaluator);
    out.run.start_run = part.start_run;
    out.run.start_parent = part.start_step;
    if (!ended_.empty()) out.run.tuning = ended_.front().run.id;
    return out;
}

Result<EndedPart> StartsTuning::end_of(const Part& part, const std::stop_token& stop, const PauseGate& gate) {
    if (next_ < in_.earlier.size() && !in_.earlier[next_].end.empty())
        return from_log(part, in_.earlier[next_]);
    auto ready = TRY(to_run(part, stop));
    return run_part(std::move(ready), in_.on, stop, gate);
}

Status StartsTuning::play(Part part, const std::stop_token& stop, const PauseGate& gate) {
    if (stop.stop_requested() || ends_the_tuning(all_.end)) return {};
    auto ended = TRY(end_of(part, stop, gate));
    ++next_;
    all_.add(ended.summary);
    ended_.push_back({std::move(ended), std::move(part)});
    return {};
}

// The best starts of the run over starts, and the original, which has no run to begin at.
Result<std::vector<StartsTuning::Part>> StartsTuning::promising(const Ended& starts) {
    std::vector<Part> out;
    if (starts.run.id != 0) {
        auto session = TRY(in_.on.writer());
        TRY(session->flush());
        auto reader = TRY(SessionReader::open(in_.request.session));
        const auto steps = TRY(reader->steps(starts.run.id));
        for (const RankedStart& ranked : ranked_starts(steps, in_.on.evaluator.exact())) {
            if (out.size() == kFirstTries || ranked.log_speedup <= 0) break;
            auto schedule = TRY(reader->schedule_at(in_.request.kernel, starts.run.id, ranked.step));
            Part part = part_at(std::move(schedule), kFirstShare);
            part.start_run = starts.run.id;
            part.start_step = ranked.step;
            part.start_speedup = Speedup{ranked.log_speedup, ranked.log_speedup, ranked.log_speedup};
            out.push_back(std::move(part));
        }
    }
    out.push_back(part_at(Schedule(in_.request.kernel), kFirstShare));
    return out;
}

// The same start for longer. An agent that takes schedules begins its race with the one that was found.
Result<StartsTuning::Part> StartsTuning::continued(const Ended& ended, double share,
                                                   const std::stop_token& stop) {
    Part part = ended.part;
    part.budget = part_of(in_.request.budget, share);
    part.settings = in_.plan.settings.agent_settings;
    if (ended.summary.best_step == 0 || !takes_schedules(part.agent)) return part;
    const SearchContext context = TRY(context_of(part));
    auto race = TRY(race_from_earlier(context, {ended.best}, {}, stop));
    part.settings = std::move(race.settings_json);
    return part;
}

std::vector<StartsTuning::Ended> StartsTuning::best_of(std::size_t first, std::size_t n) const {
    std::vector<Ended> out(ended_.begin() + static_cast<std::ptrdiff_t>(std::min(first, ended_.size())),
                           ended_.end());
    std::ranges::stable_sort(out,
                             [](const Ended& a, const Ended& b) { return a.total().log > b.total().log; });
    if (out.size() > n) out.erase(out.begin() + static_cast<std::ptrdiff_t>(n), out.end());
    return out;
}

StartsTuning::Found StartsTuning::found() const {
    Found out{all_, ended_.empty() ? RunInfo() : ended_.front().run, {}};
    out.summary.original_cost = in_.plan.evaluator.original_cost;
    for (const Ended& one : ended_)
        if (one.summary.best_step != 0)
            out.ends.push_back({one.run, one.summary.best_step, one.best, one.total()});
    return out;
}

Result<StartsTuning::Found> StartsTuning::run(const std::stop_token& stop, const PauseGate& gate) {
    const bool schedules_too = in_.request.checker != nullptr;
    Part over_starts = part_at(Schedule(in_.request.kernel), schedules_too ? kStartsShare : 1);
    over_starts.agent = kStartsAgent;
    over_starts.settings = stored(
        {in_.request.budget, in_.plan.settings.agent, in_.plan.settings.agent_settings, in_.starts.space()});
    TRY(play(std::move(over_starts), stop, gate));
    if (ended_.empty() || !schedules_too) return found();

    std::size_t first = ended_.size(), first_tries = 0, second_tries = 0;
    auto parts = TRY(promising(ended_.front()));
    if (is_short(in_.request.budget)) {
        Part& only = parts.front().start_speedup.log >= kWorthATry ? parts.front() : parts.back();
        only.budget = part_of(in_.request.budget, 1 - kStartsShare);
        TRY(play(std::move(only), stop, gate));
        return found();
    }
    for (Part& part : parts) {
        TRY(play(std::move(part), stop, gate));
        ++first_tries;
    }
    std::vector<Ended> leaders = best_of(first, kSecondTries);
    if (leaders.size() > 1) {
        first = ended_.size();
        for (const Ended& one : leaders) {
            auto part = TRY(continued(one, kSecondShare, stop));
            TRY(play(std::move(part), stop, gate));
            ++second_tries;
        }
        leaders = best_of(first, 1);
    }
    for (const Ended& one : leaders) {
        auto part = TRY(continued(one, share_left(first_tries, second_tries), stop));
        TRY(play(std::move(part), stop, gate));
    }
    return found();
}

}  // namespace cubinlab
