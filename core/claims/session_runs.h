// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a session file that have a step, one after the other, each after its figures were checked: of a measured
// run those that samples are kept of, of a modelled one the best steps', since the model takes a while for each.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <stop_token>
#include <string>

#include "core/store/session.h"

namespace cubinlab {

using TakeRun = std::function<Status(SessionReader&, const KernelPtr&, const RunInfo&)>;

// Runs that were taken, so that one that comes again, in a copy of its session, counts once.
struct RunsTaken {
    std::uint64_t unchecked = 0;  // measured figures that could not be checked
    std::uint64_t again = 0;      // runs that were passed over
    std::set<std::string> seen;
};

// Ends with the first error, which names the session. Errors: those of opening it, and Corrupt where a figure does not
// follow from what it was made of.
Status each_run(const std::filesystem::path& session, RunsTaken& taken, const TakeRun& take,
                const std::stop_token& stop);

}  // namespace cubinlab
