// SPDX-License-Identifier: GPL-3.0-or-later
// Where the steps of a run go, and what is said of it when it ends.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/result/run_phase.h"
#include "core/result/step_record.h"

namespace cubinlab {

// Seconds of a run in which nothing was measured.
struct RunWaits {
    double proposals = 0;  // the agent works out what to measure
    double ahead = 0;      // it looks ahead for longer than the measuring took
    double decisions = 0;  // it learns what came of it, and the log
    double all() const { return proposals + ahead + decisions; }
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
    RunWaits waited;     // of these
    RunEnd end = RunEnd::Budget;
    std::optional<Error> lost;  // why the evaluator was lost

    std::string end_text() const;  // "evaluator lost: the worker died"
};

// `append` returns once the record is queued for the disk; `flush` once it is there.
class RunSink {
  public:
    virtual ~RunSink() = default;
    virtual Status append(const StepRecord& record) = 0;
    virtual Status metric(StepId step, const std::string& name, double value) = 0;
    virtual Status flush() = 0;
    virtual Status finish(const RunSummary& summary) = 0;
};

}  // namespace cubinlab
