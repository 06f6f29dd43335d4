// SPDX-License-Identifier: GPL-3.0-or-later
// RunController: the session, the log of hand edits, and the run that is shown.
#include <QTimer>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/base/job_runner.h"
#include "ui/run/hand_log.h"
#include "ui/run/live_run.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_curves.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
void RunController::set_session_path(const std::filesystem::path& path) {
    if (!k_.hub) session_path_ = path;
}

Result<SessionHubPtr> RunController::hub() {
    if (k_.hub) return k_.hub;
    if (session_path_.empty()) {
        auto path = new_session_path(*document_.original());
        if (!path) return fail(path.error());
        session_path_ = *path;
    }
    const KernelPtr kernel = document_.original();
    const Listing& listing = document_.listing();
    // Built-in text is recomputed when the session opens; stored, it would look like nvdisasm's.
    k_.hub = std::make_shared<SessionHub>(
        session_path_, kernel, document_.workload() ? document_.workload()->json : std::string{},
        listing.source == ListingSource::BuiltIn
            ? std::string{}
            : write_stored_listing(kernel->info(), kernel->hash(), listing.lines));
    Q_EMIT runs_changed();
    return k_.hub;
}

void RunController::forget_session() {
    if (live_) {  // its thread is joined by a job, so that the window does not wait for a measurement to end
        live_->request_stop();
        drain_timer_->stop();
        auto ending = std::shared_ptr<LiveRun>(std::move(live_));
        jobs_.run_always([ending](std::stop_token) mutable { ending.reset(); }, {}, JobRunner::Scope::Window,
                         JobRunner::Lane::Log);
        ending.reset();
        set_state(RunState::Idle);
    }
    if (k_.hub) session_path_.clear();  // a path set for the next run stays until it is used
    close_session();
    ++opened_;
    k_ = {};
    shown(RunInfo{}, true);
    k_.shown_run.reset();
    k_.evaluator.reset();
    Q_EMIT runs_changed();
    Q_EMIT evaluator_changed();
}

void RunController::close_session() {
    jobs_.run_always(
        [log = std::move(k_.hand.log), others = std::move(k_.hands), hub = std::move(k_.hub)](std::stop_token) mutable {
            log.reset();
            others.clear();
            hub.reset();
        },
        {}, JobRunner::Scope::Window, JobRunner::Lane::Log);
}

void RunController::adopt(OpenSession session) {
    k_.hub = std::move(session.hub);
    session_path_ = k_.hub->path();
    k_.read_only = std::move(session.read_only);
    k_.writer = session.writer;
    if (k_.read_only) Q_EMIT opened_read_only(*k_.read_only);
    take_runs(std::move(session.runs));
}

void RunController::take_runs(SessionRuns found) {
    k_.runs = std::move(found.runs);
    Q_EMIT runs_changed();
    if (k_.shown_run || k_.runs.empty()) return;
    const RunInfo newest = first_shown(k_.runs);
    show_run(newest.id);
    if (found.best) document_.pair().set_best(std::move(found.best), {newest.id, newest.best_step});
    if (found.best_problem) Q_EMIT failed(*found.best_problem);
}

bool RunController::goes_on_elsewhere(const RunInfo& run) const {
    return k_.read_only && k_.read_only->code == ErrorCode::Busy && run.end.empty() && !k_.runs.empty() &&
           run.id == k_.runs.back().id;
}

void RunController::go_on_in_copy() {
    if (!k_.read_only) return;
    jobs_.run<Result<std::filesystem::path>>(
        QStringLiteral("copy-session"),
        [from = session_path_](std::stop_token) { return copy_to_sessions_folder(from); },
        [this, of = k_.hub](const Result<std::filesystem::path>& copy) {
            if (!copy) return Q_EMIT failed(copy.error());
            if (of == k_.hub) take_copy(*copy);
        });
}

// The copy has the same log, so views stay; only new steps go to the other file.
void RunController::take_copy(const std::filesystem::path& copy) {
    k_.hub = std::make_shared<SessionHub>(copy, document_.original(),
                                          document_.workload() ? document_.workload()->json : std::string{},
                                          std::string{});
    session_path_ = copy;
    k_.read_only.reset();
    k_.writer = 0;
    const SchedulePtr hand = document_.pair().schedule(ScheduleSlot::Hand);
    if (*hand != *document_.pair().schedule(ScheduleSlot::Original)) continue_hand_log(0, hand);
    Q_EMIT runs_changed();
    say_all_is_logged();
}

void RunController::say_all_is_logged() {
    Q_EMIT notice(tr("Logging to %1 from now on").arg(QString::fromStdString(session_path_.string())));
}

void RunController::log_hand_edits() {
    if (k_.unlogged) log_hand_edit({}, document_.pair().schedule(ScheduleSlot::Hand));
}

void RunController::refresh_runs(bool after_failure) {
    if (!k_.hub) return;
    jobs_.run<Result<SessionRuns>>(
        QStringLiteral("runs"),
        [hub = k_.hub, none_shown = !k_.shown_run](std::stop_token) {
            return hub->read(
                [&](SessionReader& session) { return read_runs(session, hub->kernel(), none_shown); });
        },
        [this, after_failure, opened = opened_](Result<SessionRuns> found) {
            if (!current(opened)) return;
            if (!found && !after_failure) return Q_EMIT failed(found.error());
            take_runs(found ? std::move(*found) : SessionRuns{});  // of a file that is gone there are none
        },
        JobRunner::Scope::Window);
}

void RunController::log_hand_edit(const Mutation& mutation, const SchedulePtr& result) {
    if (k_.read_only) return;  // reported at opening; a copy includes these edits
    const auto session = hub();
    if (!session) return hand_not_logged(session.error());
    if (!k_.hand.log) k_.hand.log = new_hand_log(*session);
    jobs_.run<Result<HandStep>>(
        {}, [log = k_.hand.log, mutation, result](std::stop_token) { return log->append(mutation, *result); },
        [this, log = k_.hand.log](const Result<HandStep>& step) {
            if (log != k_.hand.log) return;  // a copy of the session, or another compilation, is open by now
            if (!step) return hand_not_logged(step.error());
            hand_logged(step->started ? &*step->started : nullptr, step->record);
        },
        JobRunner::Scope::Kernel, JobRunner::Lane::Log);
}

void RunController::continue_hand_log(RunId run, const SchedulePtr& hand) {
    if (k_.read_only) return;
    const auto session = hub();
    if (!session) return hand_not_logged(session.error());
    k_.hand.log = new_hand_log(*session);
    k_.hand.run = run;
    struct Resumed {
        std::uint64_t steps = 0;
        std::optional<HandStep> step;
    };
    jobs_.run<Result<Resumed>>(
        {},
        [log = k_.hand.log, session = *session, run, hand](std::stop_token) -> Result<Resumed> {
            Resumed resumed;
            if (run != 0)
                if (auto info = session->run(run)) resumed.steps = info->steps;
            resumed.step = TRY(log->resume(run, *hand));
            return resumed;
        },
        [this, log = k_.hand.log, hash = hand->hash()](const Result<Resumed>& resumed) {
            if (log != k_.hand.log) return;
            if (!resumed) return hand_not_logged(resumed.error());
            k_.hand.step = static_cast<StepId>(resumed->steps);
            k_.hand.steps[hash] = k_.hand.step;
            if (const auto& step = resumed->step)
                hand_logged(step->started ? &*step->started : nullptr, step->record);
        },
        JobRunner::Scope::Kernel, JobRunner::Lane::Log);
}

void RunController::hand_logged(const RunInfo* started, const StepRecord& record) {
    if (started != nullptr) {
        k_.hand.run = started->id;
        k_.runs.push_back(*started);
        Q_EMIT runs_changed();
        if (!k_.shown_run) shown(*started, true);
    }
    k_.hand.step = record.step;
    k_.hand.steps[record.schedule_hash] = record.step;
    const Outcome& figure = record.outcome;
    document_.hand().note_figure(record.schedule_hash,
                                 {EvaluatorKind::Model, figure.kind, figure.verdict, figure.speedup, {}});
    if (std::exchange(k_.unlogged, {})) say_all_is_logged();  // the step contains the earlier edits
    if (k_.shown_run && k_.shown_run->id == k_.hand.run) take_steps({record});
}

void RunController::hand_not_logged(const Error& why) {
    k_.unlogged = why;
    Q_EMIT hand_unlogged(why);
}

void RunController::find_hand_step(const Hash128& schedule, std::function<void(StepRef)> done) {
    jobs_.run_always([](std::stop_token) {},
                     [this, schedule, done = std::move(done)] {
                         const auto found = k_.hand.steps.find(schedule);
                         done(found == k_.hand.steps.end() ? StepRef{} : StepRef{k_.hand.run, found->second});
                     },
                     JobRunner::Scope::Window, JobRunner::Lane::Log);
}

void RunController::publish(const Hash128& schedule, const HandFigure& figure,
                            const MeasurementRecord& record, const SessionHubPtr& session) {
    if (document_.is_open()) document_.hand().note_figure(schedule, figure);
    if (!session || record.run == 0) return;
    jobs_.run<Status>(
        {},
        [hub = session, record](std::stop_token) {
            auto writer = hub->writer();
            return writer ? (*writer)->add_measurement(record) : Status(fail(writer.error()));
        },
        [this](const Status& added) {
            if (!added) Q_EMIT failed(added.error());
        },
        JobRunner::Scope::Window, JobRunner::Lane::Log);
    if (session == k_.hub) load_measurements(record.run);
}

// In the lane that writes them, so earlier published measurements are included.
void RunController::load_measurements(RunId run) {
    if (!k_.hub || run == 0) return;
    jobs_.run<Result<std::vector<StepMeasurement>>>(
        {}, [hub = k_.hub, run](std::stop_token) { return measured_steps(*hub, run); },
        [this, run, opened = opened_](Result<std::vector<StepMeasurement>> found) {
            if (!current(opened)) return;
            if (!found || found->empty()) return;  // the steps report an unreadable session
            for (const StepMeasurement& measured : *found)
                if (document_.is_open()) document_.hand().note_figure(measured.schedule, measured.figure);
            if (k_.shown_run && k_.shown_run->id == run)
                Q_EMIT measurements_changed(
                    std::make_shared<const std::vector<StepMeasurement>>(std::move(*found)));
        },
        JobRunner::Scope::Window, JobRunner::Lane::Log);
}

void RunController::fetch_claim(StepRef step, std::function<void(Result<Claim>)> done) {
    if (!k_.hub || step.run == 0) return done(fail(ErrorCode::NotFound, "this schedule is not in a session"));
    jobs_.run<Result<Claim>>(
        {}, [hub = k_.hub, step](std::stop_token) { return hub->claim(step.run, step.step); },
        std::move(done), JobRunner::Scope::Window, JobRunner::Lane::Log);
}

// ---- what is shown ----

void RunController::shown(const RunInfo& run, bool live) {
    k_.shown_run = run;
    k_.last_step = k_.told_step = 0;
    k_.curves_step = 0;
    k_.curves.clear();
    k_.held_metrics.clear();
    k_.held_episodes.clear();
    k_.loading = !live;
    k_.progress = {};
    k_.work = {};
    k_.evaluator = run.evaluator;
    Q_EMIT run_reset(run);
    Q_EMIT evaluator_changed();
    Q_EMIT progress_changed();
    if (live) return;
    load_measurements(run.id);
    load_shown();
}

void RunController::take_steps(std::vector<StepRecord> steps, StepSource from) {
    if (from == StepSource::Log) {
        k_.told_step = std::max(k_.told_step, steps.back().step);
        if (k_.loading) return;  // they are in the file, which is re-read if needed
        if (steps.front().step >
            k_.last_step + 1) {  // another run was shown meanwhile: fill up from the file
            k_.loading = true;
            load_next(k_.shown_run->id);
            return;
        }
    }
    // A chunk from the file and the live mail may overlap.
    const auto fresh =
        std::find_if(steps.begin(), steps.end(), [&](const StepRecord& r) { return r.step > k_.last_step; });
    steps.erase(steps.begin(), fresh);
    if (steps.empty()) return;
    count_steps(steps);
    k_.last_step = steps.back().step;
    Q_EMIT steps_added(steps);
    Q_EMIT progress_changed();
}

// Curves need ascending steps: new points wait until the logged ones are read.
void RunController::take_curves(std::vector<MetricPoint> metrics, std::vector<EpisodePoint> episodes) {
    if (k_.loading) {
        k_.held_metrics.insert(k_.held_metrics.end(), std::make_move_iterator(metrics.begin()),
                               std::make_move_iterator(metrics.end()));
        k_.held_episodes.insert(k_.held_episodes.end(), episodes.begin(), episodes.end());
        return;
    }
    // Received points may already be in the file that was read.
    std::erase_if(metrics, [&](const MetricPoint& p) { return was_in_file(p.step, p.name); });
    std::erase_if(episodes, [&](const EpisodePoint& p) { return was_in_file(p.step, kEpisodeReturn); });
    if (!metrics.empty()) Q_EMIT metrics_added(metrics);
    if (!episodes.empty()) Q_EMIT episodes_added(episodes);
}

void RunController::count_steps(const std::vector<StepRecord>& steps) {
    for (const StepRecord& record : steps) {
        if (shows_live() && k_.steps_before != 0 && k_.progress.steps == k_.steps_before)
            k_.work.begin_part();
        k_.work.add(record.time_us);
        ++k_.progress.steps;
        if (!record.outcome.ok()) ++k_.progress.failed;
        if (!record.best) continue;
        k_.progress.best_step = record.step;
        k_.progress.best_log_speedup = record.outcome.speedup.log;
    }
    k_.progress.seconds = k_.work.seconds();
    k_.progress.part_seconds = k_.work.part_seconds();
    k_.progress.part_steps = k_.work.part_steps();
    k_.progress.fraction = shows_live() ? budget_used() : 1.0;
}

// Of the current part: a resumed run's budget counts further steps or time.
double RunController::budget_used() const {
    const RunProgress& p = k_.progress;
    if (p.steps <= k_.steps_before) return 0;  // the earlier log is still being read
    double used = 0;
    if (k_.budget.steps && *k_.budget.steps > 0)
        used = static_cast<double>(k_.earlier_steps + p.part_steps) / static_cast<double>(*k_.budget.steps);
    if (k_.budget.time && k_.budget.time->count() > 0)
        used = std::max(used, 1000 * (k_.earlier_seconds + p.part_seconds) /
                                  static_cast<double>(k_.budget.time->count()));
    return std::min(used, 1.0);
}

// Curves first: points of the live run are held until its steps are read.
void RunController::load_shown() {
    const RunId run = k_.shown_run->id;
    jobs_.run<Result<std::vector<MetricPoint>>>(
        QStringLiteral("load-metrics"), [hub = k_.hub, run](std::stop_token) { return hub->metrics(run); },
        [this, run, opened = opened_](Result<std::vector<MetricPoint>> points) {
            if (!current(opened) || !k_.shown_run || k_.shown_run->id != run) return;
            if (points && !points->empty()) {
                k_.curves_step = points->back().step;
                for (const MetricPoint& point : *points)
                    if (point.step == k_.curves_step) k_.curves.push_back(point.name);
                Q_EMIT metrics_added(*points);
            }
            load_next(run);
        },
        JobRunner::Scope::Window);
}

void RunController::load_next(RunId run) {
    jobs_.run<Result<std::vector<StepRecord>>>(
        QStringLiteral("load-run"),
        [hub = k_.hub, run, after = k_.last_step](std::stop_token) {
            return hub->steps(run, after, kStepsAtOnce);
        },
        [this, run, opened = opened_, told = k_.told_step](Result<std::vector<StepRecord>> steps) {
            if (!current(opened) || !k_.shown_run || k_.shown_run->id != run) return;
            if (!steps) {
                end_loading();
                Q_EMIT failed(steps.error());
                return;
            }
            const bool more = steps->size() == kStepsAtOnce;
            for (StepRecord& record : *steps)
                record.outcome.samples = {};
            take_steps(std::move(*steps), StepSource::File);
            // A step that was told since may have been logged after the file was read, and be the run's last.
            const bool too_early = k_.last_step < k_.told_step && k_.told_step > told;
            if (more || too_early)
                load_next(run);
            else
                end_loading();
        },
        JobRunner::Scope::Window);
}

bool RunController::was_in_file(StepId step, const std::string& curve) const {
    return step < k_.curves_step ||
           (step == k_.curves_step && std::ranges::find(k_.curves, curve) != k_.curves.end());
}

void RunController::end_loading() {
    k_.loading = false;
    take_curves(std::exchange(k_.held_metrics, {}), std::exchange(k_.held_episodes, {}));
}

void RunController::view_step(qint64 step) {
    if (k_.shown_run) view_step(k_.shown_run->id, step);
}

}  // namespace cubinlab::ui
