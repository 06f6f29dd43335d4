// SPDX-License-Identifier: GPL-3.0-or-later
// Which run of a session has a result. A run that ended before its first step has none: it is never exported,
// reported or continued as if it had.
#pragma once
#include <string>

#include "core/store/session.h"

namespace cubinlab {

// id 0: the newest run with a step. NotFound: no such run, or none with a step; BadInput: that run has none.
Result<RunInfo> run_with_steps(SessionReader& reader, RunId id, const std::string& session);

}  // namespace cubinlab
