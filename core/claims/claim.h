// SPDX-License-Identifier: GPL-3.0-or-later
// The one way from a session to a figure that may be stamped, bundled or shown as a result: made again from
// samples or by the model, or refused (stored_figures.h). Whatever writes a claim of a logged step, `tune` of
// its own run included, asks here.
#pragma once
#include <string>

#include "core/claims/export_cubin.h"
#include "core/store/session.h"

namespace cubinlab {

// Errors: Refused (a measurement of that step failed), Corrupt (a figure does not follow), and the reader's.
Result<Provenance> claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                            const std::string& session);

}  // namespace cubinlab
