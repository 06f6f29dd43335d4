// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of a session file before any row is read.
#pragma once
#include <cstdint>

#include "core/base/ids.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// Corrupt: objects other than tables and indexes, or, for files of up to kCheckedWhole bytes, a B-tree or a row that
// SQLite's own check finds damaged. Larger files are checked row by row as they are read.
inline constexpr std::uint64_t kCheckedWhole = std::uint64_t{16} << 20;
Status check_session_file(const sqlite::Database& database, std::uint64_t file_bytes);

// Steps of a run ascend, with no larger gap than this between their numbers, and each comes after its parent.
inline constexpr StepId kLargestGap = 4096;
inline bool follows(StepId step, StepId parent, StepId before) {
    return step > before && step - before <= kLargestGap && parent >= 0 && parent < step;
}

}  // namespace cubinlab
