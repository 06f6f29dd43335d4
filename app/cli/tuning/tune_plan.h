// SPDX-License-Identifier: GPL-3.0-or-later
// From the options of `tune` to the request of a run. Inputs are read and outputs are checked before the search, which may
// take hours.
#pragma once
#include <string>

#include "app/cli/command.h"
#include "core/tuning/tune_session.h"

namespace cubinlab::cli {

// Completes `options`: the name of the session, and the kernel that a resumed session is of. Errors: of the inputs; BadUse
// (an output that must not be written); Unsupported (a view-only architecture).
Result<TuneRequest> tune_request(TuneOptions& options);

// The note on the evaluator, and the options that it does not use. Mostly empty.
std::string evaluator_note(const TuneOptions& options, const TunePlan& plan);

}  // namespace cubinlab::cli
