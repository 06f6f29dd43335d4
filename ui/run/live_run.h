// SPDX-License-Identifier: GPL-3.0-or-later
// A run on its own thread, and the mailbox through which the GUI thread hears of it. The run's thread only
// appends; the GUI empties the mailbox at its own pace. A run that is much faster than the GUI waits for it
// rather than filling the memory.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/tuning/earlier_schedules.h"
#include "core/tuning/resumed_run.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"

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
    std::string note;                  // why the model evaluates
    std::optional<RaceStarts> starts;  // of a race that was to begin from earlier schedules too
    std::optional<Result<RunSummary>> ended;
};

struct LiveSetup {
    KernelPtr kernel;
    CheckerPtr checker;  // null: made on the run's thread
    std::optional<Workload> workload;
    RunRequest request;
    SchedulePtr start;
    RunId start_run = 0;  // of the hand head, when the run starts there
    StepId start_step = 0;
    SchedulePtr hand;                            // with request.earlier: races too; null: there is none
    std::vector<std::filesystem::path> archive;  // with request.earlier: sessions, folders of them
    RunId resume = 0;                            // a run of the session that goes on; 0: a new one
    SessionHubPtr session;
    GpuSettings gpu;
};

class LiveRun : public RunListener {
  public:
    explicit LiveRun(LiveSetup setup);
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

  private:
    Result<RunSummary> work(std::stop_token stop);
    Result<RaceStarts> race_from_archive(const SearchContext& context, const std::stop_token& stop);
    Result<ResumedRun> read_resumed(const std::stop_token& stop);
    Result<std::unique_ptr<RunSink>> open_log(RunInfo& run, bool resumed, const EvaluatorInfo& evaluator);

    LiveSetup setup_;
    PauseGate gate_;
    std::mutex mutex_;
    std::condition_variable_any taken_;
    LiveMail mail_;
    std::stop_token stop_;
    std::jthread thread_;
};

}  // namespace cubinlab::ui
