// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a session file that have a step, one after the other, each after its figures were checked: of a measured
// run those that samples are kept of, of a modelled one the best steps', since the model takes a while for each.
#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>

#include "core/store/session.h"

namespace cubinlab {

using TakeRun = std::function<Status(SessionReader&, const KernelPtr&, const RunInfo&)>;

// How many measured figures could not be checked. Ends with the first error, which names the session. Errors: those of
// opening it, and Corrupt where a figure does not follow from what it was made of.
Result<std::uint64_t> each_run(const std::filesystem::path& session, const TakeRun& take,
                               const std::stop_token& stop);

}  // namespace cubinlab
