// SPDX-License-Identifier: GPL-3.0-or-later
// Held while a file is written beside its place and moved there (write_file). Who ends the process at once takes it
// before, so that no half of a file is left beside.
#pragma once
#include <mutex>

namespace cubinlab {

std::timed_mutex& file_writes();

}  // namespace cubinlab
