// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule of a kernel out of another file that holds it: an export, or what somebody made of it elsewhere.
#pragma once
#include <filesystem>

#include "core/schedule/schedule.h"

namespace cubinlab {

// The kernel of the same name (and, of several images, architecture), or the only one of a file whose name is another.
// Errors: those of reading the file, NotFound (no such kernel), BadUse (other instructions). Legality is the checker's.
Result<Schedule> read_schedule(const std::filesystem::path& file, const KernelPtr& kernel);

}  // namespace cubinlab
