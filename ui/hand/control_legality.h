// SPDX-License-Identifier: GPL-3.0-or-later
// What the checker says about every value of every field of one control code: what an editor needs to mark
// the illegal ones before anything is committed. One call is some forty legality answers: not for the GUI
// thread.
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

// Each entry is the draft with that one field set to that value; `wait`, `reuse` and `yield`: with that bit
// the other way round.
struct ControlLegality {
    FieldVerdict draft;
    std::array<FieldVerdict, 16> stall;
    FieldVerdict yield;
    std::array<FieldVerdict, 6> wait;
    std::array<FieldVerdict, 7> read, write;  // index 6: no barrier
    std::array<FieldVerdict, 3> reuse;
};

// `legal` is a legal schedule. Stopped early, the rest counts as legal; such a result is not shown.
ControlLegality check_control(const HazardChecker& checker, const Schedule& legal, InstrId id,
                              const ControlCode& draft, const std::stop_token& stop);

inline std::uint8_t barrier_of_index(std::size_t index) {
    return index < 6 ? static_cast<std::uint8_t>(index) : kNoBarrier;
}

}  // namespace cubinlab::ui
