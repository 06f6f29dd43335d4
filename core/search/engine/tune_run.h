// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a searcher with an evaluator: the loop, its budget, its log and its events. `run()` works on the
// thread of the caller and returns when the budget is used up, a stop is requested, or the evaluator is lost.
// The window calls it on a background thread, the command line on the main thread.
//
//   propose -> (known schedule: copy its outcome) -> evaluate -> observe -> log -> event
//
// A candidate that seems better than the incumbent is refined and confirmed (Effort) before it becomes best.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/result/budget.h"
#include "core/result/run_sink.h"
#include "core/search/engine/default_agent.h"
#include "core/search/engine/run_history.h"
#include "core/search/engine/searcher.h"

namespace cubinlab {

using RunClock = std::function<std::chrono::steady_clock::time_point()>;

struct RunSettings {
    std::string agent = kDefaultAgent;
    std::string agent_settings = "{}";
    std::uint64_t seed = 1;
    Budget budget;
    std::size_t batch = 1;         // proposals in flight
    std::uint64_t first_step = 1;  // resume: continue numbering here
    RunClock clock;                // null: the steady clock
};

// Receives the events of a run on the run's thread, which waits until a call returns.
class RunListener {
  public:
    virtual ~RunListener() = default;
    virtual void on_step(const StepRecord& record, const Schedule& schedule) {
        (void)record;
        (void)schedule;
    }
    virtual void on_best(const StepRecord& record, const Schedule& schedule) {
        (void)record;
        (void)schedule;
    }
    virtual void on_metric(StepId step, const std::string& name, double value) {
        (void)step;
        (void)name;
        (void)value;
    }
    // What the agent does next, for people.
    virtual void on_doing(const std::string& doing) { (void)doing; }
    virtual void on_episode(StepId step, double episode_return) {
        (void)step;
        (void)episode_return;
    }
    virtual void on_phase(RunPhase phase) { (void)phase; }
};

class PauseGate {
  public:
    void pause() { paused_.store(true); }
    void resume() {
        paused_.store(false);
        paused_.notify_all();
    }
    bool paused() const { return paused_.load(); }
    void wait(const std::stop_token& stop) const;  // until resume() or a stop request

  private:
    std::atomic<bool> paused_{false};
};

class TuneRun {
  public:
    TuneRun(SearchContext context, RunSettings settings, std::unique_ptr<Searcher> searcher,
            Evaluator& evaluator, RunSink* sink, RunListener* listener);
    ~TuneRun();

    // Before run(): replays an interrupted run with the same settings. The searcher proposes every step again
    // and observes the logged outcome. Error: Corrupt if a proposal differs from the log.
    Status resume_from(RunHistory& history);
    Status resume_from(const std::vector<StepRecord>& logged);
    Result<RunSummary> run(std::stop_token stop, const PauseGate* gate = nullptr);

    const Schedule& best() const;  // valid between and after runs

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cubinlab
