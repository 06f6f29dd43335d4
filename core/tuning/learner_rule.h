// SPDX-License-Identifier: GPL-3.0-or-later
// Whether reward and acceptance of a learner's run are what its rule (core/search/agents/learner_rewards.h) makes of the outcomes in
// the log. What its network proposed is another question, which only the agent itself answers, and not on every machine
// alike (run_again.h).
#pragma once
#include <stop_token>

#include "core/store/session.h"

namespace cubinlab {

// Steps whose reward and acceptance were made again; 0: the agent is no learner. Those that are not what is logged are
// told by their rows. Errors: those of reading, and Cancelled.
Result<std::uint64_t> check_learner_rule(SessionReader& reader, const RunInfo& run, Deviations& out,
                                         const std::stop_token& stop);

}  // namespace cubinlab
