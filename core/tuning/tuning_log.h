// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning with starts as its session has it, whole or while it runs: the starts with what became of them, and what both
// players evaluated on one axis of working time.
//
//   TuningLog log(runs_over_starts.back());
//   TRY(log.read(reader, original));                 // also later: only what was logged since
//   for (const TunedStart& start : log.starts()) ...
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/evidence/step_measurement.h"
#include "core/result/work_time.h"
#include "core/search/starts/start_estimate.h"
#include "core/start/start.h"
#include "core/store/session.h"

namespace cubinlab {

// One code. Several starts may have the same: the first is meant.
struct TunedStart {
    std::string name;   // in the session; empty: the original, which is the first row
    Start start;        // how it was made
    StepId step = 0;    // the first that tried it
    StepId parent = 0;  // the first step of the start that it was bred from; 0: of none
    Hash128 code;
    int registers = 0;               // a thread
    std::uint32_t instructions = 0;  // with padding
    std::uint32_t local_bytes = 0;   // stack frame of a thread, spilled registers included
    double log_speedup = 0;          // against the original: the mean over its measurements (StartEstimate)
    std::uint32_t measured = 0;      // number of measurements
    OutcomeKind outcome = OutcomeKind::Ok;
    std::string detail;  // of the newest measurement, for people
    // Of the runs that search its schedules.
    std::uint64_t tuned_steps = 0;
    double best_log_speedup = 0;  // against the original; with best_step
    RunId best_run = 0;
    StepId best_step = 0;  // 0: no schedule of it beats it
    // Measurements of that step, or else of the start as it is compiled, against the original in fresh processes: one for each
    // GPU and cache state.
    std::vector<PooledMeasurement> fresh;
    bool searched() const { return tuned_steps != 0; }
};

// One run of the tuning. Times are working time since the tuning began, seconds.
struct TuningPart {
    RunInfo run;
    bool over_starts = false;
    std::size_t start = 0;  // index of the start whose schedules it searches; of a run over starts: 0
    double begins = 0, ends = 0;
    struct Point {
        StepId step = 0;
        double seconds = 0;
        double log_speedup = 0;  // against the original
        bool best = false;       // it became the best of its run
    };
    std::vector<Point> points;  // what was evaluated and ran well
};

class TuningLog {
  public:
    explicit TuningLog(RunId over_starts) : run_(over_starts) {}

    RunId over_starts() const { return run_; }
    // Errors: those of the reader; NotFound: no such run; BadInput: it is not one over starts.
    Status read(SessionReader& session, const KernelPtr& original);

    const std::vector<TunedStart>& starts() const {
        return starts_;
    }  // the original, then by their first steps
    const std::vector<TuningPart>& parts() const { return parts_; }  // in the order of the runs
    const EvaluatorInfo& evaluator() const { return evaluator_; }
    // The start of a step of the run over starts; of another run: that whose schedules it searches.
    std::size_t start_of(RunId run, StepId step) const;

  private:
    Status read_starts(SessionReader& session, const KernelPtr& original, TuningPart& part);
    Status describe(SessionReader& session, const KernelPtr& original, std::size_t first);
    Status read_schedules(SessionReader& session, TuningPart& part);
    Status read_measurements(SessionReader& session);
    void add(const StepRecord& record);

    RunId run_;
    EvaluatorInfo evaluator_;
    std::vector<TunedStart> starts_;
    std::vector<StartEstimate> estimates_;              // of starts_
    std::unordered_map<Hash128, std::size_t> index_;    // by code
    std::unordered_map<StepId, std::size_t> start_at_;  // by step of the run over starts
    std::vector<TuningPart> parts_;
    std::unordered_map<RunId, StepId> read_;  // up to which step
    std::unordered_map<RunId, WorkTime> time_;
};

// The runs over starts of a session, oldest first.
std::vector<RunId> runs_over_starts(const std::vector<RunInfo>& runs);

}  // namespace cubinlab
