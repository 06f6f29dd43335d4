// SPDX-License-Identifier: GPL-3.0-or-later
// How long the search for one row may take before it is interrupted, for all databases of the process: a file can be
// made to take for ever. 20 s unless a test says otherwise.
#pragma once
#include <chrono>

namespace cubinlab::sqlite {

void set_longest_row(std::chrono::milliseconds longest);

}  // namespace cubinlab::sqlite
