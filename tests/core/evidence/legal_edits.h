// SPDX-License-Identifier: GPL-3.0-or-later
// A legal schedule that differs from the compiler's: the first legal moves and control edits found, for tests.
#pragma once
#include "app/lab/fuzz/control_edits.h"
#include "core/legality/hazard_checker.h"

namespace cubinlab::test {

inline Schedule some_legal_schedule(const HazardChecker& checker, int moves, int edits) {
    Schedule schedule(checker.kernel());
    for (InstrId id = 0; id < schedule.size() && moves > 0; ++id) {
        const SlotRange slots = checker.slots(schedule, id);
        for (Position p = slots.lowest; p <= slots.highest; ++p)
            if (p != schedule.position_of(id) && slots.contains(p)) {
                schedule.move(id, p);
                --moves;
                break;
            }
    }
    for (InstrId id = 0; id < schedule.size() && edits > 0; ++id) {
        const auto codes = control_edits(checker, schedule, id);
        if (codes.empty()) continue;
        schedule.set_control(id, codes.front());
        --edits;
    }
    return schedule;
}

}  // namespace cubinlab::test
