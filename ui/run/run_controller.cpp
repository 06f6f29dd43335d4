// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/enum_names.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/run/hand_log.h"
#include "ui/run/live_run.h"
#include "ui/run/opener.h"
#include "ui/run/step_panel.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {
constexpr int kDrainMs = 50;  // 20 Hz
constexpr std::size_t kReasonsTold = 3;

QString text_of(const RaceSchedules& starts) {
    QString out =
        starts.count == 0
            ? RunController::tr("No previous best of this kernel found. The race starts from the original")
        : starts.count == 1
            ? RunController::tr("The race starts from the original and 1 previous best")
            : RunController::tr("The race starts from the original and %1 previous bests").arg(starts.count);
    if (starts.left_out.empty()) return out;
    out += RunController::tr("; left out: %1").arg(starts.left_out.size());
    for (std::size_t i = 0; i < std::min(kReasonsTold, starts.left_out.size()); ++i)
        out += QLatin1Char('\n') + QString::fromStdString(starts.left_out[i]);
    return out;
}

}  // namespace

QString title_of(RunState state) {
    return QLatin1String(
        enum_name<RunState::Stopping>({"Idle", "Preparing", "Running", "Paused", "Stopping"}, state, ""));
}

RunController::RunController(Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs) {
    drain_timer_ = new QTimer(this);
    drain_timer_->setInterval(kDrainMs);
    connect(drain_timer_, &QTimer::timeout, this, &RunController::drain);
    connect(&document_.hand(), &HandEditor::edited, this, &RunController::log_hand_edit);
}

RunController::~RunController() {
    live_.reset();  // stops and joins
    close_session();
}

void RunController::set_state(RunState state) {
    if (state == state_) return;
    state_ = state;
    Q_EMIT state_changed(state);
}

// ---- a live run ----

void RunController::start(const RunRequest& request) {
    if (active() || !document_.is_open()) return;
    if (k_.read_only) return Q_EMIT failed(*k_.read_only);
    if (!gpu_taken_.isEmpty() && request.evaluator != EvaluatorPolicy::Model) {
        Q_EMIT failed(Error{ErrorCode::Busy,
                            tr("%1 is using the GPU, and an agent would disturb both measurements. Wait "
                               "until it has finished, stop it, or evaluate on the model")
                                .arg(gpu_taken_)
                                .toStdString(),
                            {}});
        return;
    }
    SchedulePtr begin = document_.pair().schedule(request.start);
    if (!begin) begin = document_.pair().schedule(ScheduleSlot::Original);
    if (!document_.kernel()->arch().editable() && !searches_starts(request, begin)) {
        Q_EMIT failed(Error{ErrorCode::Unsupported, document_.hand().why_not_editable().toStdString(), {}});
        return;
    }
    if (*begin == *document_.pair().schedule(ScheduleSlot::Original))
        return launch(request, begin, k_.start, 0);
    if (request.start == ScheduleSlot::Best || request.start == ScheduleSlot::Viewed) {
        const StepRef at = request.start == ScheduleSlot::Best ? document_.pair().best_step()
                                                               : document_.pair().viewed_step();
        launch(request, begin, at, 0);
        return;
    }
    // The last edit may not be logged yet.
    find_hand_step(begin->hash(), [this, request, begin](StepRef at) {
        if (active() || !document_.is_open() || begin->kernel() != document_.kernel()) return;
        if (at.run == 0)
            Q_EMIT failed(Error{ErrorCode::NotFound,
                                "the hand schedule is not in the session, so a run that starts there would "
                                "have figures against a schedule that nobody could look up",
                                {}});
        else
            launch(request, begin, at, 0);
    });
}

void RunController::launch(const RunRequest& request, const SchedulePtr& start, StepRef start_step,
                           RunId resumed) {
    auto budget = Budget::parse(request.budget.toStdString());
    if (!budget) return Q_EMIT failed(budget.error());
    if (k_.read_only) return Q_EMIT failed(*k_.read_only);
    const auto opened = hub();
    if (!opened) return Q_EMIT failed(opened.error());
    const SessionHubPtr& session = *opened;
    k_.budget = *budget;
    const bool whole = resumed == kWholeTuning;
    TuneRequest tune{.kernel = whole ? document_.original() : document_.kernel(),
                     .checker = whole && document_.shows_start() ? nullptr : document_.checker(),
                     .workload = document_.workload(),
                     .evaluator = request.evaluator,
                     .gpu = gpu_settings_,
                     .budget = *budget,
                     .session = session->path(),
                     .writer = [session] { return session->writer(); }};
    if (whole || searches_starts(request, start)) {
        tune.ptx = document_.ptx();
        // The service compares the ends of a tuning in fresh processes, and then measures the winner.
        if (Settings().measure_again()) tune.final_processes = kFinalProcesses;
    }
    if (whole) {
        tune.resume = 0;  // the newest, which it is a part of
    } else if (resumed != 0) {
        tune.resume = resumed;
    } else {
        tune.agent = request.agent.toStdString();
        tune.agent_settings = request.agent_settings.toStdString();
        tune.seed = request.seed;
        tune.locked = request.locked;
        if (!tune.ptx) tune.start = *start;
        tune.start_run = start_step.run;
        tune.start_step = start_step.step;
    }
    if (request.earlier) {
        tune.earlier = EarlierSources{{}, {session->path(), Settings().sessions_folder().toStdString()}};
        if (const SchedulePtr hand = document_.pair().schedule(ScheduleSlot::Hand); hand && *hand != *start)
            tune.earlier->schedules.push_back(*hand);
    }
    k_.live_id = 0;
    k_.final_measured = false;
    k_.steps_before = k_.earlier_steps = 0;
    k_.earlier_seconds = 0;
    if (resumed > 0)
        for (const RunInfo& run : k_.runs)
            if (run.id == resumed) k_.steps_before = run.steps;
    set_state(RunState::Preparing);
    live_ = std::make_unique<LiveRun>(
        std::move(tune), [session, path = document_.path(), workload = document_.workload()](const RunInfo& run) {
            const auto begin = session->schedule_at(run.start_run, run.start_parent);
            if (!begin || begin->kernel() == session->kernel()) return OpenKernelPtr();
            return std::make_shared<const OpenKernel>(open_start(begin->kernel(), start_name(run.start_parent), path, workload, {}));
        });
    drain_timer_->start();
}

bool RunController::can_continue(const RunInfo& run) const {
    return k_.hub && run.agent != "hand" && !(active() && run.id == k_.live_id);
}

const RunInfo* RunController::run_to_continue() const {
    if (k_.shown_run)
        for (const RunInfo& run : k_.runs)
            if (run.id == k_.shown_run->id && can_continue(run)) return &run;
    for (auto run = k_.runs.rbegin(); run != k_.runs.rend(); ++run)
        if (can_continue(*run)) return &*run;
    return nullptr;
}

void RunController::continue_run(qint64 id, const QString& budget) {
    if (active() || !document_.is_open()) return;
    const auto run =
        std::find_if(k_.runs.begin(), k_.runs.end(), [&](const RunInfo& info) { return info.id == id; });
    if (run == k_.runs.end() || !can_continue(*run)) {
        Q_EMIT failed(Error{ErrorCode::BadUse, "this run cannot go on: only runs of an agent can", {}});
        return;
    }
    RunRequest request;  // what is left out is as the run was started
    request.evaluator = policy_for(run->evaluator.kind);
    request.budget = budget;
    const bool of_starts = run->agent == kStartsAgent || start_of(*run).run != 0;
    launch(request, document_.pair().schedule(ScheduleSlot::Original), {}, of_starts ? kWholeTuning : run->id);
}

void RunController::pause() {
    if (state_ != RunState::Running) return;
    live_->pause();
    set_state(RunState::Paused);
}

void RunController::resume() {
    if (state_ != RunState::Paused) return;
    live_->resume();
    set_state(RunState::Running);
}

void RunController::stop() {
    if (!active()) return;
    live_->request_stop();
    set_state(RunState::Stopping);
}

void RunController::drain() {
    if (!live_) return;
    LiveMail mail = live_->take();
    if (mail.started) run_started(mail);
    if (mail.starts) Q_EMIT notice(text_of(*mail.starts));
    if (mail.phase) Q_EMIT phase_changed(QString::fromLatin1(to_string(*mail.phase)));
    if (k_.shown_run && k_.live_id != 0 && k_.shown_run->id == k_.live_id) {
        if (!mail.steps.empty()) take_steps(std::move(mail.steps));
        take_curves(std::move(mail.metrics), std::move(mail.episodes));
        if (!mail.doing.empty()) Q_EMIT doing_changed(QString::fromStdString(mail.doing));
    }
    if (mail.best && mail.best->kernel()->hash() == document_.kernel()->hash())
        document_.pair().set_best(std::make_shared<const Schedule>(on_kernel(document_.kernel(), *mail.best)),
                                  {k_.live_id, mail.best_step});
    if (mail.ended) run_ended(*mail.ended);
}

void RunController::run_started(const LiveMail& mail) {
    RunInfo run = *mail.started;
    if (run.tuning == 0) run.tuning = run.id;  // as it is read
    if (mail.start) run.code = mail.start->kernel->hash();
    const QString note = QString::fromStdString(mail.note), ptx_note = QString::fromStdString(mail.ptx_note);
    const bool first = k_.live_id == 0;
    const bool watched = first || shows_live();
    if (!first && watched) {
        k_.earlier_steps += k_.progress.part_steps;
        k_.earlier_seconds += k_.progress.part_seconds;
    }
    k_.live_id = run.id;
    k_.evaluator = run.evaluator;
    if (first) k_.evaluator_note = note;
    if (state_ == RunState::Preparing) set_state(RunState::Running);
    const auto known =
        std::find_if(k_.runs.begin(), k_.runs.end(), [&](const RunInfo& i) { return i.id == run.id; });
    const bool resumed = known != k_.runs.end();
    if (resumed)
        *known = run;
    else
        k_.runs.push_back(run);
    Q_EMIT runs_changed();
    if (!note.isEmpty()) Q_EMIT notice(note);
    if (!ptx_note.isEmpty()) Q_EMIT notice(ptx_note);
    Q_EMIT evaluator_changed();
    // A part of a tuning that searches other code takes the views only where they follow the agent.
    const StepRef start = start_of(run);
    const bool stays = run.agent == kStartsAgent || start == k_.start;
    if (!first && (!watched || (!stays && !document_.pair().follow_live()))) return;
    if (!stays)
        to_compilation({start, mail.start ? mail.start->kernel->hash() : document_.original()->hash(), mail.start, {}});
    shown(run, !resumed);  // of a resumed run first the logged, then the live steps
}

void RunController::run_ended(const Result<EndedRun>& ended) {
    drain_timer_->stop();
    live_.reset();
    set_state(RunState::Idle);
    if (ended)  // for a resume before the file was read
        for (RunInfo& run : k_.runs)
            if (run.id == k_.live_id && !ended->parts) run.steps = k_.steps_before + ended->summary.steps;
    const bool begun = k_.live_id != 0;
    k_.final_measured = ended && ended->measured;
    refresh_runs(!ended);
    if (!ended) return Q_EMIT failed(ended.error(), begun);
    const auto tell = [this, summary = ended->summary] {
        k_.progress.fraction = 1;
        Q_EMIT progress_changed();
        Q_EMIT finished(summary);
    };
    // The best of a tuning may be of another run, and of another compilation, than the last.
    const auto of_best = std::ranges::find(k_.runs, ended->run, &RunInfo::id);
    if (!ended->parts || ended->summary.best_step == 0 || of_best == k_.runs.end() || !document_.pair().follow_live())
        return tell();
    RunInfo best = *of_best;
    best.best_step = ended->summary.best_step;
    show_run_and(best, true, tell);
}

void RunController::probe_gpu_now() {
    jobs_.run<GpuProbe>(
        QStringLiteral("probe-gpu"),
        [settings = gpu_settings_](std::stop_token stop) { return probe_gpu(settings, stop); },
        [this](GpuProbe gpu) {
            gpu_ = std::move(gpu);
            Q_EMIT evaluator_changed();
        },
        JobRunner::Scope::Window, JobRunner::Lane::Slow);
}

}  // namespace cubinlab::ui
