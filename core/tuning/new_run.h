// SPDX-License-Identifier: GPL-3.0-or-later
// What window and command line alike write into a session when a run begins, and keep when it ends.
#pragma once
#include <vector>

#include "core/search/engine/tune_run.h"
#include "core/store/session.h"

namespace cubinlab {

// `start`: of another run's step where the caller says so (start_run, start_parent).
RunHeader header_of(const RunSettings& settings, const EvaluatorInfo& evaluator, const Schedule& start,
                    std::vector<InstrId> locked);

}  // namespace cubinlab
