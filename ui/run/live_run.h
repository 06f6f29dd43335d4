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

struct LiveMail {
    std::vector<StepRecord> steps;
    std::vector<MetricPoint> metrics;
    std::vector<EpisodePoint> episodes;
    SchedulePtr best;  // newest of them, or null
    StepId best_step = 0;
    std::optional<RunPhase> phase;     // newest
    std::string doing;                 // of the agent, in plain words; newest, or empty
    std::optional<RunInfo> started;    // the run is in the session now
    std::string note;                  // with `started`: why the model evaluates
    std::optional<RaceSchedules> starts;  // of a race that was to begin from earlier schedules too
    std::optional<Result<RunSummary>> ended;
};

class LiveRun : public TuneObserver {
  public:
    // Sources of warm starts that do not exist are ignored.
    explicit LiveRun(TuneRequest request);
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
    Result<RunSummary> work(TuneRequest request, const std::stop_token& stop);

    PauseGate gate_;
    std::mutex mutex_;
    std::condition_variable_any taken_;
    LiveMail mail_;
    std::string note_;  // of the run's thread
    std::stop_token stop_;
    std::jthread thread_;
};

}  // namespace cubinlab::ui
