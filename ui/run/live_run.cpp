// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/live_run.h"

#include "core/base/guarded.h"
#include "core/claims/step_measurement.h"
#include "core/jobs/evaluator_choice.h"

#ifndef CUBINLAB_VERSION
#define CUBINLAB_VERSION "development"
#endif

namespace cubinlab::ui {
namespace {
constexpr std::size_t kMailLimit = 20000;  // steps; about 8 MB
}

LiveRun::LiveRun(LiveSetup setup) : setup_(std::move(setup)) {
    thread_ = std::jthread([this](std::stop_token stop) {
        {
            const std::lock_guard lock(mutex_);
            stop_ = stop;
        }
        std::optional<Result<RunSummary>> result;
        // What was logged is in the session: on the way out the log is closed like any other.
        if (auto thrown = guarded([&] { result = work(stop); })) result = fail(*thrown);
        const std::lock_guard lock(mutex_);
        mail_.ended = std::move(result);
    });
}

LiveRun::~LiveRun() {
    request_stop();
    if (thread_.joinable()) thread_.join();
}

void LiveRun::request_stop() {
    thread_.request_stop();
    gate_.resume();
}

LiveMail LiveRun::take() {
    LiveMail mail;
    {
        const std::lock_guard lock(mutex_);
        std::swap(mail, mail_);
    }
    taken_.notify_all();
    return mail;
}

void LiveRun::on_step(const StepRecord& record, const Schedule&) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, stop_, [&] { return mail_.steps.size() < kMailLimit; });
    mail_.steps.push_back(record);
    mail_.steps.back().outcome.samples = {};  // they are in the session; views do not draw them
}

void LiveRun::on_best(const StepRecord& record, const Schedule& schedule) {
    auto best = std::make_shared<const Schedule>(schedule);
    const std::lock_guard lock(mutex_);
    mail_.best = std::move(best);
    mail_.best_step = record.step;
}

void LiveRun::on_metric(StepId step, const std::string& name, double value) {
    const std::lock_guard lock(mutex_);
    mail_.metrics.push_back({step, name, value});
}

void LiveRun::on_episode(StepId step, double episode_return) {
    const std::lock_guard lock(mutex_);
    mail_.episodes.push_back({step, episode_return});
}

void LiveRun::on_state(const std::string& state) {
    const std::lock_guard lock(mutex_);
    mail_.phase = state;
}

Result<RunSummary> LiveRun::work(std::stop_token stop) {
    const RunRequest& request = setup_.request;
    auto budget = Budget::parse(request.budget.toStdString());
    if (!budget) return fail(budget.error());
    if (!setup_.checker) {
        auto checker = HazardChecker::create(setup_.kernel);
        if (!checker) return fail(checker.error());
        setup_.checker = *checker;
    }
    Logged logged;
    if (setup_.resume != 0) {
        on_state("reading what was logged");
        auto read = read_resumed();
        if (!read) return fail(read.error());
        logged = std::move(*read);
        setup_.gpu.confirmations_before = confirmations_in(logged.steps);
    }

    on_state("preparing the evaluator");
    setup_.gpu.seed = request.seed;
    auto choice =
        choose_evaluator(setup_.kernel, setup_.workload, request.evaluator.toStdString(), setup_.gpu, stop);
    if (!choice) return fail(choice.error());

    if (setup_.resume != 0 && logged.run.evaluator.kind != choice->evaluator->info().kind)
        return fail(ErrorCode::BadUse,
                    "this run was evaluated on another kind of evaluator and cannot go on here");

    SearchContext context{
        setup_.kernel, setup_.checker, request.seed, request.agent_settings.toStdString(), request.locked, {},
        *setup_.start};
    on_state("loading the agent");
    auto searcher = make_searcher(request.agent.toStdString(), context);
    if (!searcher) return fail(searcher.error());

    RunInfo run = logged.run;
    if (setup_.resume == 0) {
        run.agent = request.agent.toStdString();
        run.agent_settings = context.settings_json;
        run.seed = request.seed;
        run.budget = budget->text();
        run.evaluator = choice->evaluator->info();
        run.start_run = setup_.start_run;
        run.start_parent = setup_.start_step;
        run.start_hash = setup_.start->hash();
        run.locked = request.locked;
        run.started = utc_now();
        run.version = CUBINLAB_VERSION;
    }
    auto sink = open_log(run, setup_.resume != 0);
    if (!sink) return fail(sink.error());
    RunSettings settings;
    settings.agent = run.agent;
    settings.agent_settings = run.agent_settings;
    settings.seed = request.seed;
    settings.budget = *budget;
    settings.batch = batch_for(run.evaluator);
    if (!logged.steps.empty()) settings.first_step = static_cast<std::uint64_t>(logged.steps.back().step) + 1;
    // A budget in steps counts those that the run has already; what is asked for here is more.
    if (settings.budget.steps) *settings.budget.steps += settings.first_step - 1;
    TuneRun tune(context, settings, std::move(*searcher), *choice->evaluator, sink->get(), this);
    if (!logged.steps.empty()) {
        on_state("feeding the agent what it has logged");
        if (auto fed = tune.resume_from(logged.steps); !fed) return fail(fed.error());
        logged.steps.clear();
        logged.steps.shrink_to_fit();
    }
    {
        const std::lock_guard lock(mutex_);
        mail_.started = run;
        mail_.note = choice->note;
    }
    auto summary = tune.run(stop, &gate_);
    sink->reset();
    if (auto session = setup_.session->writer())
        if (auto flushed = (*session)->flush(); !flushed && summary) return fail(flushed.error());
    return summary;
}

// Also sets where the run started, which its steps are relative to.
Result<LiveRun::Logged> LiveRun::read_resumed() {
    auto run = setup_.session->run(setup_.resume);
    if (!run) return fail(run.error());
    auto steps = setup_.session->steps(setup_.resume, 0, 0);
    if (!steps) return fail(steps.error());
    auto start = setup_.session->schedule_at(setup_.resume, 0);
    if (!start) return fail(start.error());
    setup_.start = std::make_shared<const Schedule>(std::move(*start));
    return Logged{std::move(*run), std::move(*steps)};
}

Result<std::unique_ptr<RunSink>> LiveRun::open_log(RunInfo& run, bool resumed) {
    auto session = setup_.session->writer();
    if (!session) return fail(session.error());
    if (resumed) return (*session)->continue_run(run.id);
    return (*session)->begin_run(run, *setup_.start, &run.id);
}

}  // namespace cubinlab::ui
