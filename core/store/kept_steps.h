// SPDX-License-Identifier: GPL-3.0-or-later
// What a session that can no longer be written still holds: the last word of a run that it ended.
#pragma once
#include <filesystem>

#include "core/base/ids.h"
#include "core/base/result.h"

namespace cubinlab {

// The error with how many steps of the run the file has, and which is the best of them. `run` 0: it never began there.
// Unchanged where the file cannot be read either.
Error with_what_is_kept(Error error, const std::filesystem::path& session, RunId run);

}  // namespace cubinlab
