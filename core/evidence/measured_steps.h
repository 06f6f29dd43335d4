// SPDX-License-Identifier: GPL-3.0-or-later
// What the check of a measured figure asks of the other steps of its run (core/evidence/gpu_figures.h), answered from a
// session without holding its steps, or from a list. Asked for steps in ascending order it reads the run once.
#pragma once
#include <memory>
#include <vector>

#include "core/store/session.h"

namespace cubinlab {

class MeasuredSteps {
  public:
    // `reader` and `steps` outlive it; `steps` ascend.
    static std::unique_ptr<MeasuredSteps> of_run(SessionReader& reader, const RunInfo& run);
    // `resumed`: the run was, before the first of them.
    static std::unique_ptr<MeasuredSteps> of_list(const std::vector<StepRecord>& steps, bool resumed = false);
    virtual ~MeasuredSteps() = default;

    // Those that became best and ran well, oldest first, without raw samples.
    virtual Result<std::vector<StepRecord>> best() = 0;
    virtual Result<StepRecord> at(StepId step) = 0;
    // Confirmations (Outcome::alpha) of steps before this one.
    virtual Result<std::uint64_t> confirmations_before(StepId step) = 0;
    // Whether the run was resumed in (after, step]: the clock of a run starts anew with each process. Of RunInfo::later_parts
    // it is said; before schema 6 it was not.
    virtual Result<bool> resumed_in(StepId after, StepId step) = 0;
    // Evaluated steps of the same words before this one, oldest first, without raw samples; those of late that a
    // run remembers, and older ones for as long as looking for them is affordable. Empty: not found.
    virtual Result<std::vector<StepRecord>> of_words(const Hash128& hash, StepId before) = 0;
};

// `record` with the samples that its figure is made of: those of the earlier step that a repeated one copies, where
// the log has it; else as it is.
Result<StepRecord> with_samples(SessionReader& reader, const RunInfo& run, StepRecord record);

}  // namespace cubinlab
