// SPDX-License-Identifier: GPL-3.0-or-later
// Legal control codes that differ from the current one in one field; stall and yield first.
#pragma once
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/legality/rules/scoreboard_state.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

inline std::vector<ControlCode> control_edits(const HazardChecker& checker, const Schedule& legal,
                                              InstrId id) {
    std::vector<ControlCode> result;
    const ControlCode now = legal.control(id);
    const auto offer = [&](const ControlCode& code) {
        if (!(code == now) && checker.allows(legal, Mutation::control(legal, id, code)))
            result.push_back(code);
    };
    for (std::uint8_t stall = 1; stall <= 15; ++stall) {
        ControlCode code = now;
        code.stall = stall;
        offer(code);
    }
    ControlCode code = now;
    code.yield = !now.yield;
    offer(code);
    for (int bit = 0; bit < 3; ++bit) {
        code = now;
        code.reuse = static_cast<std::uint8_t>(now.reuse ^ (1u << bit));
        offer(code);
    }
    for (int s = 0; s < kScoreboards; ++s) {
        code = now;
        code.wait_mask = static_cast<std::uint8_t>(now.wait_mask ^ (1u << s));
        offer(code);
    }
    for (std::uint8_t barrier = 0; barrier <= kNoBarrier; ++barrier) {
        if (barrier >= kScoreboards && barrier != kNoBarrier) continue;
        code = now;
        code.write_barrier = barrier;
        offer(code);
        code = now;
        code.read_barrier = barrier;
        offer(code);
    }
    return result;
}

}  // namespace cubinlab
