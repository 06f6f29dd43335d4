// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a session file that have a step, one after the other.
#pragma once
#include <filesystem>
#include <functional>

#include "core/store/session.h"

namespace cubinlab {

using TakeRun = std::function<Status(SessionReader&, const KernelPtr&, const RunInfo&)>;

// Ends with the first error, which names the session. Errors: those of opening it.
Status each_run(const std::filesystem::path& session, const TakeRun& take);

}  // namespace cubinlab
