// SPDX-License-Identifier: GPL-3.0-or-later
// The interface that receives the steps of a run, and the summary at its end.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/result/run_phase.h"
#include "core/result/step_record.h"

namespace cubinlab {

// Seconds of a run in which the evaluator waits.
struct RunWaits {
    double proposals = 0;  // for proposals of the agent
    double ahead = 0;      // for a prefetch that takes longer than the measurement
    double decisions = 0;  // for the agent to observe outcomes, and for the log
    double all() const { return proposals + ahead + decisions; }
};

struct RunSummary {
    std::uint64_t steps = 0;  // logged by this call
    std::uint64_t evaluated = 0;
    std::uint64_t repeated = 0;
    std::uint64_t failed = 0;  // outcomes other than Ok
    StepId best_step = 0;      // 0: nothing beat the start
    Speedup best;              // against the start schedule
    double original_cost = 0, best_cost = 0;
    double seconds = 0;  // of running, pauses left out
    RunWaits waited;     // of these
    RunEnd end = RunEnd::Budget;
    std::optional<Error> lost;  // why the evaluator was lost

    // The work of a later run of the same tuning, and its end. The best stays.
    void add(const RunSummary& later);
    std::string end_text() const;  // "evaluator lost: the worker died"
};

// `append` returns when the record is queued; `flush` returns when all records are on disk.
class RunSink {
  public:
    virtual ~RunSink() = default;
    virtual Status append(const StepRecord& record) = 0;
    virtual Status metric(StepId step, const std::string& name, double value) = 0;
    virtual Status flush() = 0;
    virtual Status finish(const RunSummary& summary) = 0;
};

}  // namespace cubinlab
