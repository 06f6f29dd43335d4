// SPDX-License-Identifier: GPL-3.0-or-later
// The lock that write_file holds. Code that ends the process takes it first, so that no temporary file is
// left.
#pragma once
#include <mutex>

namespace cubinlab {

std::timed_mutex& file_writes();

}  // namespace cubinlab
