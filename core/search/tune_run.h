// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a searcher against an evaluator: the loop, its budget, its log and its events. It knows no
// thread: `run()` is called on whichever thread should do the work and returns when the budget is used up,
// the stop token fires, or the evaluator is lost. The window runs it on a background thread, the command line
// on its own.
//
//   propose -> (same words seen before? take that outcome) -> evaluate -> observe -> log -> event
//
// A candidate that looks better than the incumbent is promoted and confirmed (Effort) before it becomes best.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/searcher.h"

namespace cubinlab {

struct Budget {
    std::optional<std::uint64_t> steps;                  // evaluated candidates
    std::optional<std::chrono::milliseconds> time;       // of running, pauses left out; not deterministic
    static Result<Budget> parse(std::string_view text);  // "60s", "5m", "5000steps"
    std::string text() const;
};

// One row of the log: a candidate and what became of it.
struct StepRecord {
    StepId step = 0;
    StepId parent = 0;
    Mutation mutation;
    Hash128 schedule_hash;  // of the resulting words
    Outcome outcome;        // log_speedup against the run's start schedule
    double reward = 0;
    bool accepted = false;
    bool best = false;         // became the run's best with this step
    bool repeated = false;     // same words as an earlier step: outcome copied, not evaluated again
    std::int64_t time_us = 0;  // of running since the start of the run, pauses left out; microseconds
};

using RunClock = std::function<std::chrono::steady_clock::time_point()>;

struct RunSettings {
    std::string agent = "greedy";
    std::string agent_settings = "{}";
    std::uint64_t seed = 1;
    Budget budget;
    std::size_t batch = 1;         // proposals in flight
    std::uint64_t first_step = 1;  // resume: continue numbering here
    RunClock clock;                // null: the steady clock
};

struct RunSummary {
    std::uint64_t steps = 0;  // logged by this call
    std::uint64_t evaluated = 0;
    std::uint64_t repeated = 0;
    std::uint64_t failed = 0;     // outcomes other than Ok
    StepId best_step = 0;         // 0: nothing beat the start
    double best_log_speedup = 0;  // against the start schedule
    double best_low = 0, best_high = 0;
    double original_cost = 0, best_cost = 0;
    double seconds = 0;  // of running, pauses left out
    std::string end;  // "budget", "stopped", "exhausted", "evaluator lost: ..."
};

// Where steps go. `append` returns once the record is queued for the disk; `flush` once it is there.
class RunSink {
  public:
    virtual ~RunSink() = default;
    virtual Status append(const StepRecord& record) = 0;
    virtual Status metric(StepId step, const std::string& name, double value) = 0;
    virtual Status flush() = 0;
    virtual Status finish(const RunSummary& summary) = 0;
};

// Live view of a run. Called on the run's thread: copy and return.
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
    virtual void on_episode(StepId step, double episode_return) {
        (void)step;
        (void)episode_return;
    }
    virtual void on_state(const std::string& state) {
        (void)state;
    }  // "preparing", "running", "paused", "confirming", "finished"
};

class PauseGate {
  public:
    void pause() { paused_.store(true); }
    void resume() {
        paused_.store(false);
        paused_.notify_all();
    }
    bool paused() const { return paused_.load(); }
    void wait(const std::stop_token& stop) const;  // returns when resumed or stopped

  private:
    std::atomic<bool> paused_{false};
};

class TuneRun {
  public:
    TuneRun(SearchContext context, RunSettings settings, std::unique_ptr<Searcher> searcher,
            Evaluator& evaluator, RunSink* sink, RunListener* listener);
    ~TuneRun();

    // Before run(): feed the steps of an earlier, interrupted run of the same settings.
    Status resume_from(const std::vector<StepRecord>& logged);
    Result<RunSummary> run(std::stop_token stop, const PauseGate* gate = nullptr);

    const Schedule& best() const;  // valid between and after runs
    const Searcher& searcher() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cubinlab
