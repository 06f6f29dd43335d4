// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that compiled code keeps between neighbours without a common register: after a block barrier, and
// before a change of the register count. For memory operations and branches after a barrier see
// DependencePairs, which covers all paths; these rules apply to current neighbours inside a block. Internal
// to core/legality.
#pragma once
#include <vector>

#include "core/legality/dependence_pairs.h"
#include "core/legality/finding.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class IssueSpacing {
  public:
    // Maximum distance in positions.
    static constexpr int kReach = 8;

    IssueSpacing(const Kernel& kernel, CheckMode mode);

    // Checks positions [from, to), and the block's end if `to` is after it; returns true to stop. `View` is a
    // Schedule or a BlockView.
    template <class View>
    bool check(const View& view, const Block& block, Position from, Position to, Findings& findings) const {
        if (!any_) return false;
        for (Position p = from; p < to; ++p)
            if ((p == block.end() ? at_end_ : role_[view.at(p)] != Role::Plain) &&
                check_one(view, block, p, findings))
                return true;
        return false;
    }

  private:
    enum class Role : std::uint8_t { Plain, Behind, RegisterCount };

    template <class View>
    bool check_one(const View& view, const Block& block, Position p, Findings& findings) const {
        const InstrId id = p == block.end() ? kNone : view.at(p);
        int have = 0;
        for (Position q = p; q-- > block.first && have < kReach;) {
            const InstrId before = view.at(q);
            have += effective_stall(view.control(before));
            const int floor = floor_between(before, id, q + 1 == p);
            if (have >= floor) continue;
            const int need = need_of(block, before, id, floor);
            if (have < need && findings.add({Rule::IssueFloor, Clause::Plain, before, id, need, have}))
                return true;
        }
        return false;
    }

    int floor_between(InstrId before, InstrId id, bool neighbours) const;
    // At most the original's distance; the floor if the original does not have this order.
    int need_of(const Block& block, InstrId before, InstrId id, int floor) const;

    const Kernel& kernel_;
    bool any_ = false;
    bool at_end_ =
        false;  // against the original: the code after the block is not checked, so its distance must stay
    std::vector<Role> role_;  // by InstrId
    std::vector<bool> bar_;
    bool against_ = false;
};

}  // namespace cubinlab
