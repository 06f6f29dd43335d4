// SPDX-License-Identifier: GPL-3.0-or-later
// A run on its own thread, with a mailbox for the GUI thread. The run's thread only appends; the GUI empties
// the mailbox at its own pace. A run that is much faster than the GUI waits for it instead of filling the
// memory.
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
    std::string phase;                 // newest, or empty
    std::string doing;                 // the agent's current activity as text, or empty
    std::optional<RunInfo> started;    // the run is now in the session
    std::string note;                  // why the model is the evaluator
    std::optional<RaceStarts> starts;  // of a race that also starts from earlier schedules
    std::optional<Result<RunSummary>> ended;
};

struct LiveSetup {
    KernelPtr kernel;
    CheckerPtr checker;  // null: created on the run's thread
    std::optional<Workload> workload;
    RunRequest request;
    SchedulePtr start;
    RunId start_run = 0;  // of the hand head, when the run starts there
    StepId start_step = 0;
    SchedulePtr hand;                            // with request.earlier: a further start; null: none
    std::vector<std::filesystem::path> archive;  // with request.earlier: sessions, folders of them
    RunId resume = 0;                            // the run of the session to resume; 0: a new run
    SessionHubPtr session;
    GpuSettings gpu;
};

class LiveRun : public RunListener {
  public:
    explicit LiveRun(LiveSetup setup);
    ~LiveRun() override;  // stops the run and waits until its log is on disk

    void pause() { gate_.pause(); }
    void resume() { gate_.resume(); }
    void request_stop();
    LiveMail take();  // GUI thread

    void on_step(const StepRecord& record, const Schedule& schedule) override;
    void on_best(const StepRecord& record, const Schedule& schedule) override;
    void on_metric(StepId step, const std::string& name, double value) override;
    void on_episode(StepId step, double episode_return) override;
    void on_state(const std::string& state) override;
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
