// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of a run that can be made again, made again: its schedules, its figures, what its agent decided, and what its
// rows repeat. What is not what is stored is told row by row; what cannot be made again is told, too.
//
//   auto verified = verify_run(reader, kernel, run, stop);
//   if (!verified->deviations.empty()) ...                  // the session was changed by something else
#pragma once
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/evidence/stored_figures.h"
#include "core/store/deviations.h"
#include "core/store/session.h"

namespace cubinlab {

struct RunVerification {
    std::uint64_t rebuilt = 0;  // steps
    FiguresChecked figures;
    std::uint64_t decided = 0;  // steps whose reward and acceptance the agent made again
    std::uint64_t by_rule = 0;  // of a learner: steps whose reward and acceptance its rule made again
    Deviations deviations;
    std::vector<std::string> open;  // what could not be made again, and why
};
// Errors: what cannot be read at all, Cancelled, and Refused where the run's best is illegal.
Result<RunVerification> verify_run(const std::shared_ptr<SessionReader>& reader, const KernelPtr& kernel,
                                   RunInfo run, std::stop_token stop);

}  // namespace cubinlab
