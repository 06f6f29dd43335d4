// SPDX-License-Identifier: GPL-3.0-or-later
// Differences between two schedules of one kernel, and the row alignment of a side-by-side view.
#pragma once
#include <cstdint>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

// Control: the control code or another field of the word.
enum class Change : std::uint8_t { Same, Moved, Control, MovedAndControl };

struct AlignedRow {
    InstrId left = kNone;  // kNone: blank row on this side
    InstrId right = kNone;
};

struct ScheduleDiff {
    std::vector<Change> change;    // by InstrId; Moved = outside the longest common order of its block
    std::vector<AlignedRow> rows;  // merged order: common instructions share a row
    std::size_t moved = 0;
    std::size_t control = 0;            // instructions with a field that differs
    std::size_t stall_cycles_left = 0;  // sum of stall counts, cycles
    std::size_t stall_cycles_right = 0;
};

ScheduleDiff diff_schedules(const Schedule& left, const Schedule& right);

}  // namespace cubinlab
