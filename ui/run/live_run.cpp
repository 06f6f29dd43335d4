// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/live_run.h"

#include "core/base/guarded.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/new_run.h"
#include "core/store/kept_steps.h"

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
        // On an error, the log is closed normally and the session keeps its steps.
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

void LiveRun::on_doing(const std::string& doing) {
    const std::lock_guard lock(mutex_);
    mail_.doing = doing;
}

void LiveRun::on_state(const std::string& state) {
    const std::lock_guard lock(mutex_);
    mail_.phase = state;
}

Result<RunSummary> LiveRun::work(std::stop_token stop) {
    const RunRequest& request = setup_.request;
    auto budget = TRY(Budget::parse(request.budget.toStdString()));
    if (!setup_.checker) {
        setup_.checker = TRY(HazardChecker::create(setup_.kernel));
    }
    std::optional<ResumedRun> resumed;
    if (setup_.resume != 0) {
        on_state("reading what was logged");
        resumed = TRY(read_resumed(stop));
    }

    on_state("preparing the evaluator");
    setup_.gpu.seed = request.seed;
    auto choice = TRY(choose_evaluator(setup_.kernel, setup_.workload, request.evaluator.toStdString(),
                                       resumed ? resumed->gpu(setup_.gpu) : setup_.gpu, stop));
    if (resumed) TRY(resumed->judged_alike(choice.evaluator->info(), setup_.workload));

    SearchContext context = resumed ? resumed->context(setup_.kernel, setup_.checker)
                                    : SearchContext{setup_.kernel,  setup_.checker,
                                                    request.seed,   request.agent_settings.toStdString(),
                                                    request.locked, {},
                                                    *setup_.start};
    std::optional<RaceStarts> starts;
    if (request.earlier && !resumed) {
        on_state("looking for earlier schedules");
        auto found = TRY(race_from_archive(context, stop));
        context.settings_json = found.settings_json;
        starts = std::move(found);
    }
    on_state("loading the agent");
    auto searcher = TRY(make_searcher(resumed ? resumed->run.agent : request.agent.toStdString(), context));

    RunSettings settings;
    RunInfo run;
    if (resumed) {
        settings = resumed->settings(budget);
        run = resumed->run;
    } else {
        settings.agent = request.agent.toStdString();
        settings.agent_settings = context.settings_json;
        settings.seed = request.seed;
        settings.budget = budget;
        settings.batch = batch_for(choice.evaluator->info());
        static_cast<RunHeader&>(run) =
            header_of(settings, choice.evaluator->info(), *setup_.start, request.locked);
        run.start_run = setup_.start_run;
        run.start_parent = setup_.start_step;
    }
    auto sink = TRY(open_log(run, setup_.resume != 0, choice.evaluator->info()));
    TuneRun tune(context, settings, std::move(searcher), *choice.evaluator, sink.get(), this);
    if (resumed) {
        on_state("feeding the agent what it has logged");
        TRY(tune.resume_from(*resumed->history));
        resumed.reset();
    }
    {
        const std::lock_guard lock(mutex_);
        mail_.started = run;
        mail_.note = choice.note;
        mail_.starts = std::move(starts);
    }
    auto summary = tune.run(stop, &gate_);
    sink.reset();
    if (auto session = setup_.session->writer()) {
        if (auto flushed = (*session)->flush(); !flushed && summary) summary = fail(flushed.error());
    }
    // Bests are shown before they are written: the final state is read from the file.
    if (!summary) return fail(with_what_is_kept(summary.error(), setup_.session->path(), run.id));
    return summary;
}

Result<RaceStarts> LiveRun::race_from_archive(const SearchContext& context, const std::stop_token& stop) {
    std::vector<Schedule> hand;
    if (setup_.hand) hand.push_back(*setup_.hand);
    std::vector<std::filesystem::path> there;
    std::error_code error;
    for (const std::filesystem::path& archive : setup_.archive)
        if (std::filesystem::exists(archive, error)) there.push_back(archive);
    return race_from_earlier(context, std::move(hand), there, stop);
}

// From the file, after flushing the writer.
Result<ResumedRun> LiveRun::read_resumed(const std::stop_token& stop) {
    auto writer = TRY(setup_.session->writer());
    TRY(writer->flush());
    return open_resumed_run(setup_.session->path(), setup_.kernel, setup_.resume, stop);
}

Result<std::unique_ptr<RunSink>> LiveRun::open_log(RunInfo& run, bool resumed,
                                                   const EvaluatorInfo& evaluator) {
    auto session = TRY(setup_.session->writer());
    if (resumed) {
        run.later_parts.push_back({static_cast<StepId>(run.steps) + 1, evaluator});
        return session->continue_run(run.id, evaluator);
    }
    return session->begin_run(run, *setup_.start, &run.id);
}

}  // namespace cubinlab::ui
