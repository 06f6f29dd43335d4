// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tune_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/utc_text.h"
#include "core/result/work_time.h"
#include "core/search/starts/start_searcher.h"
#include "core/store/kept_steps.h"
#include "core/tuning/lazy_sink.h"
#include "core/tuning/resumed_run.h"

namespace cubinlab {
namespace {

constexpr std::size_t kStartsBatch = 32;  // compiled while the batch in front of it is measured

bool takes_schedules(const std::string& agent) {
    for (const SearcherDescription& description : searcher_descriptions())
        if (description.name == agent) return description.takes_starts;
    return false;
}

}  // namespace

StartsTuning::Part StartsTuning::part_at(Schedule start, Budget budget) const {
    return {in_.plan.settings.agent, in_.plan.settings.agent_settings, budget, std::move(start), 0, 0, {}};
}

Result<std::unique_ptr<Searcher>> StartsTuning::searcher_for(const Part& part, const SearchContext& context) {
    if (part.agent != kStartsAgent) return make_searcher(part.agent, context);
    return std::make_unique<StartSearcher>(in_.request.kernel, in_.starts.space(), in_.starts, context.seed);
}

// A run that has ended is not run again: its log says what it found.
Result<StartsTuning::Ended> StartsTuning::from_log(Part part, const RunInfo& run) {
    Ended out{std::move(part), run, {}, {}};
    auto reader = TRY(SessionReader::open(in_.request.session));
    out.summary.best_step = run.best_step;
    out.summary.end = RunEnd::Budget;
    if (run.best_step == 0) return out;
    const StepRecord best = TRY(reader->step(run.id, run.best_step));
    out.summary.best = best.outcome.speedup;
    out.best = TRY(reader->schedule_at(in_.request.kernel, run.id, run.best_step));
    return out;
}

Result<double> StartsTuning::seconds_used(RunId run) const {
    auto reader = TRY(SessionReader::open(in_.request.session));
    WorkTime time;
    const auto figures = TRY(reader->figures(run, 0, 0));
    for (const StepFigure& step : figures)
        time.add(step.time_us);
    return time.seconds();
}

Result<StartsTuning::Ended> StartsTuning::run_part(Part part, const std::stop_token& stop, const PauseGate& gate) {
    const std::size_t index = next_++;
    const bool logged = index < in_.earlier.size();
    if (logged && !in_.earlier[index].end.empty()) return from_log(std::move(part), in_.earlier[index]);

    Ended out{part, in_.header, {}, {}};
    const bool over_starts = part.agent == kStartsAgent;
    RunSettings settings = in_.plan.settings;
    settings.agent = part.agent;
    settings.agent_settings = part.settings;
    settings.budget = part.budget;
    if (over_starts) settings.batch = std::max(settings.batch, kStartsBatch);

    const KernelPtr& kernel = part.start.kernel();
    CheckerPtr checker = in_.request.checker;
    if (kernel != in_.request.kernel) checker = TRY(HazardChecker::create(kernel));
    const SearchContext context{kernel, checker, settings.seed, part.settings, {}, {}, part.start};
    auto searcher = TRY(searcher_for(part, context));

    std::optional<ResumedRun> resumed;
    if (logged) {
        resumed = TRY(open_resumed_run(in_.request.session, in_.request.kernel, in_.earlier[index].id, stop));
        out.run = resumed->run;
        settings.first_step = static_cast<std::uint64_t>(resumed->last()) + 1;
        if (settings.budget.time) {
            const std::chrono::milliseconds used(static_cast<std::int64_t>(1000 * TRY(seconds_used(out.run.id))));
            settings.budget.time = std::max(std::chrono::milliseconds(0), *settings.budget.time - used);
        }
    } else {
        out.run.id = 0;
        out.run.agent = settings.agent;
        out.run.agent_settings = settings.agent_settings;
        out.run.budget = settings.budget.text();
        out.run.batch = static_cast<std::uint32_t>(settings.batch);
        out.run.start_run = part.start_run;
        out.run.start_parent = part.start_step;
        out.run.start_hash = part.start.hash();
        out.run.started = utc_text();
    }
    LazySink sink([&]() -> Result<std::unique_ptr<RunSink>> {
        auto session = TRY(in_.writer());
        auto log = TRY(out.run.id != 0 ? session->continue_run(out.run.id, in_.plan.evaluator)
                                       : session->begin_run(out.run, part.start, &out.run.id));
        in_.observer.on_started(out.run);
        if (!over_starts) return log;
        return std::make_unique<StartSink>(std::move(log), session, out.run.id, in_.starts);
    });
    TuneRun tune(context, settings, std::move(searcher), in_.evaluator, &sink, &in_.observer);
    if (resumed) {
        in_.observer.on_phase(RunPhase::Replaying);
        TRY(tune.resume_from(*resumed->history));
    }
    auto summary = tune.run(stop, &gate);
    if (!summary) return fail(with_what_is_kept(summary.error(), in_.request.session, out.run.id));
    out.summary = std::move(*summary);
    if (out.summary.best_step != 0) out.best = tune.best();
    return out;
}

void StartsTuning::count(const Ended& ended) {
    const RunSummary& one = ended.summary;
    all_.steps += one.steps;
    all_.evaluated += one.evaluated;
    all_.repeated += one.repeated;
    all_.failed += one.failed;
    all_.seconds += one.seconds;
    all_.waited.proposals += one.waited.proposals;
    all_.waited.ahead += one.waited.ahead;
    all_.waited.decisions += one.waited.decisions;
    all_.end = one.end;
    all_.lost = one.lost;
    stopped_ = stopped_ || one.end == RunEnd::Stopped || one.end == RunEnd::EvaluatorLost;
}

// The best starts of the run over starts, and the original, which has no run to begin at.
Result<std::vector<StartsTuning::Part>> StartsTuning::promising(const Ended& starts) {
    const Budget each = part_of(in_.request.budget, kFirstShare);
    std::vector<Part> out;
    if (starts.run.id != 0) {
        auto session = TRY(in_.writer());
        TRY(session->flush());
        auto reader = TRY(SessionReader::open(in_.request.session));
        const auto steps = TRY(reader->steps(starts.run.id));
        for (const RankedStart& ranked : ranked_starts(steps)) {
            if (out.size() == kFirstTries || ranked.log_speedup <= 0) break;
            auto schedule = TRY(reader->schedule_at(in_.request.kernel, starts.run.id, ranked.step));
            Part part = part_at(std::move(schedule), each);
            part.start_run = starts.run.id;
            part.start_step = ranked.step;
            part.start_speedup = Speedup{ranked.log_speedup, ranked.log_speedup, ranked.log_speedup};
            out.push_back(std::move(part));
        }
    }
    out.push_back(part_at(Schedule(in_.request.kernel), each));
    return out;
}

// The same start for longer. An agent that takes schedules begins its race with the one that was found.
Result<StartsTuning::Part> StartsTuning::continued(const Ended& ended, Budget budget, const std::stop_token& stop) {
    Part part = ended.part;
    part.budget = budget;
    part.settings = in_.plan.settings.agent_settings;
    if (!ended.best || !takes_schedules(part.agent)) return part;
    const KernelPtr& kernel = part.start.kernel();
    CheckerPtr checker = in_.request.checker;
    if (kernel != in_.request.kernel) checker = TRY(HazardChecker::create(kernel));
    const SearchContext context{kernel, checker, in_.plan.settings.seed, part.settings, {}, {}, part.start};
    auto race = TRY(race_from_earlier(context, {*ended.best}, {}, stop));
    part.settings = std::move(race.settings_json);
    return part;
}

Result<StartsTuning::Found> StartsTuning::found() const {
    const Ended* best = nullptr;
    for (const Ended& one : ended_)
        if (one.best && (!best || one.total().log > best->total().log)) best = &one;
    Found out{all_, ended_.empty() ? in_.header : ended_.front().run, Schedule(in_.request.kernel)};
    out.summary.original_cost = in_.plan.evaluator.original_cost;
    if (!best) return out;
    out.run = best->run;
    out.best = *best->best;
    out.summary.best_step = best->summary.best_step;
    out.summary.best = best->total();
    out.summary.best_cost = out.summary.original_cost * std::exp(-out.summary.best.log);
    return out;
}

Result<StartsTuning::Found> StartsTuning::run(const std::stop_token& stop, const PauseGate& gate) {
    const Budget& whole = in_.request.budget;
    const auto play = [&](Part part) -> Status {
        if (stopped_ || stop.stop_requested()) return {};
        auto ended = TRY(run_part(std::move(part), stop, gate));
        ended_.push_back(std::move(ended));
        count(ended_.back());
        return {};
    };
    const auto best_of = [&](std::size_t first, std::size_t n) {
        std::vector<const Ended*> out;
        for (std::size_t i = first; i < ended_.size(); ++i)
            out.push_back(&ended_[i]);
        std::stable_sort(out.begin(), out.end(),
                         [](const Ended* a, const Ended* b) { return a->total().log > b->total().log; });
        out.resize(std::min(n, out.size()));
        std::vector<Ended> copies;
        for (const Ended* one : out)
            copies.push_back(*one);
        return copies;
    };
    const bool schedules_too = in_.request.checker != nullptr;
    Part over_starts =
        part_at(Schedule(in_.request.kernel), schedules_too ? part_of(whole, kStartsShare) : whole);
    over_starts.agent = kStartsAgent;
    over_starts.settings = stored(
        {whole, in_.plan.settings.agent, in_.plan.settings.agent_settings, in_.starts.space()});
    TRY(play(std::move(over_starts)));
    if (ended_.empty() || !schedules_too) return found();

    std::size_t first = ended_.size(), first_tries = 0, second_tries = 0;
    auto parts = TRY(promising(ended_.front()));
    for (Part& part : parts) {
        TRY(play(std::move(part)));
        ++first_tries;
    }
    std::vector<Ended> leaders = best_of(first, kSecondTries);
    if (leaders.size() > 1) {
        first = ended_.size();
        for (const Ended& one : leaders) {
            auto part = TRY(continued(one, part_of(whole, kSecondShare), stop));
            TRY(play(std::move(part)));
            ++second_tries;
        }
        leaders = best_of(first, 1);
    }
    const double left = share_left(first_tries, second_tries);
    for (const Ended& one : leaders) {
        auto part = TRY(continued(one, part_of(whole, left), stop));
        TRY(play(std::move(part)));
    }
    return found();
}

}  // namespace cubinlab
