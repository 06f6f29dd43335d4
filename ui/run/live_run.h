// SPDX-License-Identifier: GPL-3.0-or-later
// A run (core/tuning/tune_session.h) on its own thread, and the mailbox through which the GUI thread receives its events.
// The thread of the run only appends; the GUI empties the mailbox at its own pace. A run that is much faster than the GUI
// waits for it instead of filling the memory.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/tuning/tune_session.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {

// A run, or a tuning with starts, that has ended.
struct EndedRun {
    RunSummary summary;
    RunId run = 0;         // that has the best
    bool parts = false;    // it was one of several
    bool measured = false;  // in fresh processes; the session has it
};

struct LiveMail {
    std::vector<StepRecord> steps;
    std::vector<MetricPoint> metrics;
    std::vector<EpisodePoint> episodes;
    SchedulePtr best;  // newest of them, or null
    StepId best_step = 0;
    std::optional<RunPhase> phase;     // newest
    std::string doing;                 // of the agent, in plain words; newest, or empty
    // The run is in the session now. All else in the mail is of this run: a part of a tuning begins with an empty mailbox.
    std::optional<RunInfo> started;
    OpenKernelPtr start;               // with `started`: the kernel that it searches; null: the original
    std::string note;                  // with `started`: why the model evaluates
    std::optional<RaceSchedules> starts;  // of a race that was to begin from earlier schedules too
    std::string ptx_note;              // with `started`: why fewer starts are searched than were asked for
    std::optional<Result<EndedRun>> ended;
};

class LiveRun : public TuneObserver {
  public:
    // Sources of warm starts that do not exist are ignored. `start_of`: the kernel of a run that begins at a start; called
    // on the run's thread.
    using StartOf = std::function<OpenKernelPtr(const RunInfo&)>;
    LiveRun(TuneRequest request, StartOf start_of);
    ~LiveRun() override;  // stops and waits; the log is on the disk then

    void pause() { gate_.pause(); }
    void resume() { gate_.resume(); }
    void request_stop();
    LiveMail take();  // GUI thread

    void on_step(const StepRecord& record, const Schedule& schedule) override;
    void on_best(const StepRecord& record, const Schedule& schedule) override;
    void on_metric(StepId step, const std::string& name, double value) override;
    void on_episode(StepId step, double episode_return) override;
    void on_phase(RunPhase phase) override;
    void on_doing(const std::string& doing) override;
    void on_started(const RunInfo& run) override;

  private:
    Result<EndedRun> work(TuneRequest request, const std::stop_token& stop);

    StartOf start_of_;
    int parts_ = 0;
    PauseGate gate_;
    std::mutex mutex_;
    std::condition_variable_any taken_;
    LiveMail mail_;
    std::string note_, ptx_note_;  // of the run's thread
    std::stop_token stop_;
    std::jthread thread_;
};

}  // namespace cubinlab::ui
