// SPDX-License-Identifier: GPL-3.0-or-later
// What may be said of a schedule: nothing (unmeasured), a figure of the model, that of a screening, a measured one. Or
// it is refused, which is an Error. Stamps, cubins, bundles and reports are written from a Claim and from nothing else,
// and a Claim that says anything is made by the functions below alone, which ask first whether the figure follows from
// what it was made of (stored_figures.h).
//
//   auto claim = claim_of(reader, kernel, run, step, session);   // Refused, Corrupt
//   if (claim) export_cubin(schedule, path, *claim);             // Refused if the claim belongs to another schedule
//   export_cubin(schedule, path, Claim());                       // "unmeasured"
#pragma once
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/evidence/claim_parts.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/store/session.h"

namespace cubinlab {

class Claim {
  public:
    Claim() = default;  // unmeasured: true of every schedule

    ClaimLevel level() const { return level_of(parts_); }
    CodeKind code() const { return parts_.code; }
    const ClaimParts& parts() const { return parts_; }
    std::string stamp() const { return stamp_of(parts_); }
    // Whether it may be said of the schedule with this code hash.
    bool is_of(const Hash128& schedule) const { return level() == ClaimLevel::Unmeasured || schedule == of_; }

  private:
    friend class ClaimChecks;  // claim.cpp
    Claim(ClaimParts parts, const Hash128& of) : parts_(std::move(parts)), of_(of) {}

    ClaimParts parts_;
    Hash128 of_{};
};

// Of a logged step: its own figure, or that of the measurements made of it since. Errors: Refused (a measurement of
// that step failed), Corrupt (a figure does not follow), and the reader's.
Result<Claim> claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                       const std::string& session);
// The step's own figure alone, for whoever shows its measurements beside it. Errors: as claim_of.
Result<Claim> own_claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                           const std::string& session);
// How the start with this code was made. Errors: NotFound, Corrupt (its cubin is another one).
Result<Start> start_of(SessionReader& reader, const KernelPtr& original, const Hash128& code);
// Of an outcome in hand, without the session that it may come from: that of a schedule made of a logged step
// ("minimal"), or that of a bundle. `run` says who evaluated it; with run.start_run it is against another schedule than
// the original; `start`: of recompiled code. Corrupt where it does not follow.
Result<Claim> claim_of_outcome(const Kernel& original, const Schedule& schedule, const RunInfo& run, const StepRecord& record,
                               const std::string& session, std::optional<Start> start = {});
// Of a comparison with the original over fresh loads, as it came from the GPU, in the name of the logged step that
// `of` speaks of. Refused: it did not run well; Corrupt: its figures do not follow from its samples.
Result<Claim> claim_of_comparison(const Schedule& schedule, const ShapesComparison& measured,
                                  const Claim& of);
// Where it did not run well in every shape: what `of` says without its verdict.
Claim claim_without_figure(const Schedule& schedule, const ShapesComparison& measured, const Claim& of);

}  // namespace cubinlab
