// SPDX-License-Identifier: GPL-3.0-or-later
// The workload inside a session. A session may come from anywhere, so its workload makes this program read
// (and a bundle copy) no file but those beside it, unless the user says so.
#pragma once
#include <filesystem>
#include <optional>

#include "core/gpu/protocol/workload.h"
#include "core/store/session.h"

namespace cubinlab {

enum class InputFiles { Beside, Anywhere };

// Of `run`, which another one of the session may differ from; of a run that was given none, or 0, the newest. Empty: the
// session has none. Its input files are named by absolute paths. Errors: BadInput (not a
// workload), Refused (it reads a file elsewhere; the message names --allow-files).
Result<std::optional<Workload>> workload_of_session(SessionReader& reader,
                                                    const std::filesystem::path& session, InputFiles allowed,
                                                    RunId run);

}  // namespace cubinlab
