// SPDX-License-Identifier: GPL-3.0-or-later
// The checker's verdict on every value of every field of one control code, so that an editor can mark illegal
// values before a commit. One call asks the checker about forty times: not for the GUI thread.
//
//   ControlLegality l = check_control(*checker, hand, id, draft, stop);
//   l.stall[1].legal()          // would the draft be legal with a stall count of 1?
#pragma once
#include <array>
#include <optional>
#include <stop_token>

#include "core/legality/hazard_checker.h"

namespace cubinlab::ui {

struct FieldVerdict {
    std::optional<Hazard> refused;  // the first finding; empty: legal
    bool legal() const { return !refused; }
};

// Each entry is the draft with one field set to that value; for `wait`, `reuse` and `yield`, with that bit
// flipped.
struct ControlLegality {
    FieldVerdict draft;
    EditAnswer answer;  // about the draft, with all findings
    std::array<FieldVerdict, 16> stall;
    FieldVerdict yield;
    std::array<FieldVerdict, 6> wait;
    std::array<FieldVerdict, 7> read, write;  // index 6: no barrier
    std::array<FieldVerdict, 3> reuse;
};

// `legal` must be a legal schedule. After a stop the remaining entries are legal: do not show that result.
ControlLegality check_control(const HazardChecker& checker, const Schedule& legal, InstrId id,
                              const ControlCode& draft, const std::stop_token& stop);

inline std::uint8_t barrier_of_index(std::size_t index) {
    return index < 6 ? static_cast<std::uint8_t>(index) : kNoBarrier;
}

}  // namespace cubinlab::ui
