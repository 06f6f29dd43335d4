// SPDX-License-Identifier: GPL-3.0-or-later
// Runs agents in the background and reads logged runs: the only source of steps for views. A live run and a
// run loaded from a session file use the same signals:
//
//   run_reset(info)          another run is shown: clear tables and charts
//   steps_added(batch)       its steps, in order; live at most 20 times a second
//   metrics_added, episodes_added
//
// A run of a tuning with starts may search another compilation of the kernel. While it is shown the document shows that
// compilation, so that every view is about the code whose steps it lists (run_controller_starts.cpp).
//
// Views keep what they draw, not the records, because a run can have millions. The full schedule of any step is read from the session file by view_step().
#pragma once
#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/evidence/claim.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/work_time.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"
#include "ui/base/run_request.h"
#include "ui/document/document.h"
#include "ui/run/opener.h"
#include "ui/run/step_measurements.h"

class QTimer;

namespace cubinlab::ui {

struct EndedRun;
class HandLog;
struct LiveMail;
class LiveRun;
class SessionHub;

struct EpisodePoint {
    StepId step = 0;
    double value = 0;  // return of the episode that ended here
};

using StepBatch = std::vector<StepRecord>;
using MetricBatch = std::vector<MetricPoint>;
using EpisodeBatch = std::vector<EpisodePoint>;

enum class RunState { Idle, Preparing, Running, Paused, Stopping };
QString title_of(RunState state);

// Counters of the shown run, live or loaded.
struct RunProgress {
    std::uint64_t steps = 0;
    std::uint64_t failed = 0;      // outcomes other than Ok
    StepId best_step = 0;          // 0: no improvement
    double best_log_speedup = 0;   // against the run's start schedule
    double seconds = 0;            // working time of all parts (core/result/work_time.h)
    double part_seconds = 0;       // of the newest part, if the run was resumed
    std::uint64_t part_steps = 0;  // of the newest part
    double fraction = 0;           // of the budget, 0..1; runs that are not live: 1
};

class RunController : public QObject {
    Q_OBJECT

  public:
    RunController(Document& document, JobRunner& jobs, QObject* parent = nullptr);
    ~RunController() override;  // stops a run and waits for it; the log lane then closes the session

    RunState state() const { return state_; }
    bool active() const { return state_ != RunState::Idle; }
    const RunProgress& progress() const { return k_.progress; }
    // Whether progress() is that of the active run, and not of another run that is shown meanwhile.
    std::uint64_t steps_before() const {
        return k_.steps_before;
    }  // of the last run here that goes on: its earlier ones
    bool shows_live() const { return active() && k_.shown_run && k_.shown_run->id == k_.live_id; }
    const std::optional<RunInfo>& shown_run() const { return k_.shown_run; }
    const std::vector<RunInfo>& runs() const { return k_.runs; }          // of the session, oldest first
    std::filesystem::path session_path() const { return session_path_; }  // empty: none yet
    // For jobs that read more of the session than the signals provide; null: no session. Its calls block.
    std::shared_ptr<SessionHub> session() const { return k_.hub; }
    const GpuSettings& gpu_settings() const { return gpu_settings_; }

    // The current evaluator, or that of the shown run. Empty: none was needed so far.
    const std::optional<EvaluatorInfo>& evaluator() const { return k_.evaluator; }
    QString evaluator_note() const { return k_.evaluator_note; }  // why `auto` uses the model
    const std::optional<GpuProbe>& gpu() const { return gpu_; }

    void set_session_path(
        const std::filesystem::path& path);  // of the next run; empty: a new file in the data folder
    // The session of the kernel that the document has just taken; the newest run is shown.
    void adopt(OpenSession session);
    // Before the document gives its kernel up: a run is stopped, what is still to be logged is logged.
    void forget_session();
    void set_gpu_settings(const GpuSettings& settings) { gpu_settings_ = settings; }
    void probe_gpu_now();
    // The end of the log of hand edits; run 0: nothing is logged. The newest edit may be pending.
    StepRef hand_step() const { return {k_.hand.run, k_.hand.step}; }
    // The newest logged hand edit that resulted in `schedule`, after all current edits are logged; run 0:
    // none. `done` is called on the GUI thread.
    void find_hand_step(const Hash128& schedule, std::function<void(StepRef)> done);
    RunId hand_run_of_original() const;
    bool has_session() const { return k_.hub != nullptr; }  // a file exists: something was logged or opened
    // Where the kernel that a run searches comes from: the step of a run over starts that compiled it. {}: the original.
    StepRef start_of(const RunInfo& run) const;
    // The last run here ended with a measurement of its best in fresh processes, which the session has.
    bool final_measured() const { return k_.final_measured; }
    // The runs of the tuning with starts that a run belongs to, in order; empty: it belongs to none.
    std::vector<RunInfo> tuning_of(RunId run) const;
    // Shows another compilation: that of this code if the document keeps it, else `start`.
    using ShowKernel = std::function<void(const Hash128& code, const OpenKernelPtr& start)>;
    void on_other_kernel(ShowKernel show) { show_kernel_ = std::move(show); }
    // Why the open session is read-only; empty: it is not.
    const std::optional<Error>& read_only() const { return k_.read_only; }
    // The process that is writing the open session; 0: none or unknown.
    qint64 writer() const { return k_.writer; }
    // Whether that process is still executing the run.
    bool goes_on_elsewhere(const RunInfo& run) const;
    // Why the current hand edits are in no log; empty: they are logged or pending.
    const std::optional<Error>& unlogged() const { return k_.read_only ? k_.read_only : k_.unlogged; }
    // After a crash: resumes the log of hand edits (run 0: a new run), so that it ends with `hand`.
    void continue_hand_log(RunId run, const SchedulePtr& hand);
    // Whether a run of the session is resumable: an agent's run that is not active.
    bool can_continue(const RunInfo& run) const;
    const RunInfo* run_to_continue() const;  // the shown run if resumable, else the newest such, or null
    // Publishes a measurement against the original: to the history of hand edits by `schedule`, and for a
    // logged step to `session`, which log and chart (measurements_changed), replay and export stamps read.
    // `session` is the session of the step and may be closed by now.
    void publish(const Hash128& schedule, const HandFigure& figure, const MeasurementRecord& record,
                 const std::shared_ptr<SessionHub>& session);
    // The claim for a logged step, for stamps (core/evidence/claim.h). `done` is called on the GUI thread.
    void fetch_claim(StepRef step, std::function<void(Result<Claim>)> done);
    // Only one agent, measurement or evaluation of positions may use the GPU, because two disturb each
    // other's timing. `by` names the user (empty: the GPU is free); no run starts meanwhile.
    void set_gpu_taken(const QString& by) { gpu_taken_ = by; }
    const QString& gpu_taken() const { return gpu_taken_; }

  public Q_SLOTS:
    void start(const cubinlab::ui::RunRequest& request);
    // Resumes a stopped or killed run with another budget: same agent, settings, seed and kind of evaluator,
    // fed with its log.
    void continue_run(qint64 run, const QString& budget);
    void pause();
    void resume();
    void stop();
    void go_on_in_copy();                     // of a read-only session; logs the current hand edits
    void log_hand_edits();                    // retries edits that could not be logged
    void show_run(qint64 run);                // a run of the open session
    void view_step(qint64 run, qint64 step);  // Document::set_viewed() follows; 0 = the run's start
    void view_step(qint64 step);              // of the shown run
    void show_run_at(qint64 run, qint64 step);  // another run of the session, and this step of it

  Q_SIGNALS:
    void state_changed(cubinlab::ui::RunState state);
    void phase_changed(const QString& phase);  // to_string(RunPhase), for the status bar
    void doing_changed(const QString& doing);  // what the agent says that it does; empty: nothing any more
    void evaluator_changed();
    void runs_changed();
    void opened_read_only(const cubinlab::Error& why);
    void run_reset(const cubinlab::RunInfo& run);
    void steps_added(const cubinlab::ui::StepBatch& batch);
    void metrics_added(const cubinlab::ui::MetricBatch& batch);
    void episodes_added(const cubinlab::ui::EpisodeBatch& batch);
    // All measured steps of the shown run: after run_reset if there are any, and for each new one.
    void measurements_changed(const cubinlab::ui::StepMeasurements& measured);
    void step_viewed(qint64 run, qint64 step);  // the document shows the requested step
    void progress_changed();
    void finished(const cubinlab::RunSummary& summary);
    void failed(const cubinlab::Error& error, bool of_begun_run = false);
    void hand_unlogged(const cubinlab::Error& why);  // the edit is made; no session has it
    void notice(const QString& text);

  private:
    void drain();
    enum class StepSource { Log, File };
    // Of the shown run, as they are logged or read.
    void take_steps(std::vector<StepRecord> steps, StepSource from = StepSource::Log);
    void take_curves(std::vector<MetricPoint> metrics, std::vector<EpisodePoint> episodes);
    // A compilation of the kernel that is to be shown.
    struct Compilation {
        StepRef start;            // {}: the original
        Hash128 code;
        OpenKernelPtr open;       // null: the document keeps it
        SchedulePtr best;         // of the run that it is shown for; null: none
    };
    static constexpr RunId kWholeTuning = -1;  // is resumed, with all its runs
    void launch(const RunRequest& request, const SchedulePtr& start, StepRef start_step, RunId resumed);
    bool searches_starts(const RunRequest& request, const SchedulePtr& start) const;
    void run_started(const LiveMail& mail);
    void run_ended(const Result<EndedRun>& ended);
    void to_compilation(const Compilation& wanted);
    // `done`: after the run and its kernel are shown, `with_best`: and its best schedule.
    void show_run_and(const RunInfo& run, bool with_best, std::function<void()> done);
    // Results of jobs of an earlier session of this window are dropped.
    bool current(std::uint64_t opened) const { return opened == opened_; }
    void set_state(RunState state);
    void shown(const RunInfo& run, bool live);
    void count_steps(const std::vector<StepRecord>& steps);
    double budget_used() const;  // 0..1
    void load_shown();
    void load_next(RunId run);
    void end_loading();
    bool was_in_file(StepId step, const std::string& curve) const;
    void refresh_runs(bool after_failure = false);  // then it was told that the file cannot be read
    void take_runs(SessionRuns found);
    void load_measurements(RunId run);
    Result<std::shared_ptr<SessionHub>> hub();  // of the open kernel; created on first use
    void log_hand_edit(const Mutation& mutation, const SchedulePtr& result);
    void hand_logged(const RunInfo* started, const StepRecord& record);
    void hand_not_logged(const Error& why);
    void say_all_is_logged();
    void take_copy(const std::filesystem::path& copy);
    void close_session();  // in the log lane, after what is still to be written

    // Of the hand edits of one compilation.
    struct HandRun {
        std::shared_ptr<HandLog> log;
        RunId run = 0;
        StepId step = 0;
        std::map<Hash128, StepId> steps;  // since the kernel was opened: the newest step of each schedule
    };
    std::shared_ptr<HandLog> new_hand_log(const std::shared_ptr<SessionHub>& session) const;

    Document& document_;
    JobRunner& jobs_;
    ShowKernel show_kernel_;
    std::uint64_t opened_ = 0;  // sessions and kernels that were open
    std::unique_ptr<LiveRun> live_;
    QTimer* drain_timer_ = nullptr;
    RunState state_ = RunState::Idle;
    // The state of the open kernel's runs; replaced as one value when the kernel closes.
    struct OfKernel {
        RunProgress progress;
        WorkTime work;  // of the shown run
        Budget budget;
        std::optional<RunInfo> shown_run;
        std::vector<RunInfo> runs;
        RunId live_id = 0;                      // run of live_, once it is in the session
        std::uint64_t steps_before = 0;         // logged steps of a resumed run
        StepId last_step = 0;                   // newest step of the shown run that views have
        StepId told_step = 0;                   // newest step received since it is shown
        bool loading = false;                   // the shown run is being read from the file
        StepId curves_step = 0;                 // newest of the shown run whose curves were in the file,
        std::vector<std::string> curves;        // and which of them
        std::vector<MetricPoint> held_metrics;  // received meanwhile
        std::vector<EpisodePoint> held_episodes;
        std::shared_ptr<SessionHub> hub;
        std::optional<Error> read_only;
        qint64 writer = 0;
        std::optional<Error> unlogged;  // why the newest hand edit could not be logged
        std::optional<EvaluatorInfo> evaluator;
        QString evaluator_note;
        StepRef start;                       // of the kernel that the document shows
        HandRun hand;                        // of that kernel
        std::map<Hash128, HandRun> hands;    // of the others, by their code
        std::uint64_t earlier_steps = 0;     // of the live tuning: of its runs before this one
        double earlier_seconds = 0;
        bool final_measured = false;
    };
    OfKernel k_;
    std::filesystem::path session_path_;  // wish, or what is open
    std::optional<GpuProbe> gpu_;
    GpuSettings gpu_settings_;
    QString gpu_taken_;
};

}  // namespace cubinlab::ui
