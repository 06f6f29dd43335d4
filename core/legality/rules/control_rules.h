// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for a single control code: stall and yield, issue floors, permitted barriers. Internal to
// core/legality.
#pragma once
#include <cstdint>
#include <vector>

#include "core/legality/finding.h"
#include "core/legality/hazard_checker.h"
#include "core/legality/rules/scoreboard_proof.h"

namespace cubinlab {

class ControlRules {
  public:
    ControlRules(const Kernel& kernel, CheckMode mode, const ScoreboardProof& scoreboards);
    // Returns true to stop the check.
    bool check(InstrId id, const ControlCode& control, Findings& findings) const;

  private:
    bool stall_and_yield(InstrId id, const ControlCode& control, Findings& findings) const;
    bool barriers(InstrId id, const ControlCode& control, Findings& findings) const;
    int floor_of(InstrId id) const;

    const Kernel& kernel_;
    CheckMode mode_;
    const ScoreboardProof& scoreboards_;
    std::vector<std::uint8_t> floors_;  // by InstrId
};

}  // namespace cubinlab
