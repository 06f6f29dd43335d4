// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an agent decides today what its log says that it decided: it proposes every step once more, is told what the log
// says came of it, and what it makes of that (reward, accepted, the curves of `metrics`) is held against the log.
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "core/store/deviations.h"
#include "core/store/session.h"

namespace cubinlab {

struct RunAgain {
    std::uint64_t decided = 0;  // steps whose decision was made again
    std::string why;            // not of all of them; empty: of all
    std::uint64_t by_rule =
        0;  // of a learner: steps whose reward and acceptance were made again by its rule (learner_rule.h)
};
// Errors: those of reading, and Cancelled. What the log says otherwise is a deviation, but where another version of the program
// made the run, or its agent may differ between machines: then it is in `why`. What a learner's rule says otherwise is a
// deviation on every machine.
Result<RunAgain> decide_again(std::shared_ptr<SessionReader> reader, const KernelPtr& kernel,
                              const RunInfo& run, Deviations& out, std::stop_token stop);

}  // namespace cubinlab
