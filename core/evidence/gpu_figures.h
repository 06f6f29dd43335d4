// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of GPU steps, recomputed from their samples. Used by stored_figures.h and lone_figures.h.
//
// A screening is one block of pairs (time_in_one_load of gpu_bench.cpp). A promotion or a confirmation has the same number
// of pairs in each load and one reading of the GPU's state for each load that counts. Blocks that were set aside because
// of throttling are in neither. A step that was compared with an earlier best step stores the sum with that step's figure
// (promotion.h); StepRecord::reference_step names it.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/store/session.h"

namespace cubinlab {

// Corrupt: a step that ran well lacks what its figure is made of: one sample for each pair, all of them numbers.
Status check_samples_are_there(const RunInfo& run, const StepRecord& record);

// The figure of a step that was compared with the run's start. Why it could not be checked; empty: it follows from its
// samples. `confirmations`: of the run before this step, which share its error probability. Corrupt: it does not follow.
Result<std::string> check_direct_figure(const RunInfo& run, const StepRecord& record,
                                        std::uint64_t confirmations = 0);

class GpuFigures {
  public:
    // Both must outlive it.
    GpuFigures(SessionReader& reader, const RunInfo& run) : reader_(reader), run_(run) {}
    // As check_step_figure; `record` is a step of the run that ran well.
    Result<std::string> check(const StepRecord& record) { return check(record, 0); }

  private:
    struct Checked {
        StepRecord record;  // without raw samples
        std::string why;    // of check()
    };
    // `depth`: steps that refer to this one.
    Result<std::string> check(const StepRecord& record, int depth);
    Result<std::string> check_repeated(const StepRecord& record, int depth);
    Result<std::string> check_direct(const StepRecord& record);
    // The step that this one refers to, and its own check.
    Result<const Checked*> referred(const StepRecord& by, int depth);

    SessionReader& reader_;
    const RunInfo& run_;
    std::map<StepId, Checked> referred_;
};

}  // namespace cubinlab
