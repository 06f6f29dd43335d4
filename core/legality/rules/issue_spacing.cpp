// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/issue_spacing.h"

#include <algorithm>

#include "core/legality/tables/latency.h"

namespace cubinlab {

IssueSpacing::IssueSpacing(const Kernel& kernel, CheckMode mode)
    : kernel_(kernel), against_(mode == CheckMode::AgainstOriginal) {
    role_.assign(kernel.size(), Role::Plain);
    bar_.assign(kernel.size(), false);
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        bar_[id] = barrier_floor(kernel.arch(), i) > 0;
        any_ = any_ || bar_[id];
        at_end_ = at_end_ || (against_ && bar_[id]);
        if (against_ && changes_register_count(i)) {
            role_[id] = Role::RegisterCount;
            any_ = true;
        } else if (keeps_behind_barrier(i)) {
            role_[id] = Role::Behind;
        }
    }
}

int IssueSpacing::floor_between(InstrId before, InstrId id, bool neighbours) const {
    const int behind = bar_[before] ? barrier_floor(kernel_.arch(), kernel_.instruction(before)) : 0;
    const bool resizes = neighbours && id != kNone && role_[id] == Role::RegisterCount;
    return resizes ? std::max(behind, kBeforeRegisterCount) : behind;
}

int IssueSpacing::need_of(const Block& block, InstrId before, InstrId id, int floor) const {
    if (!against_) return floor;
    // The instruction before a change of the register count must keep the distance of the original neighbour.
    const bool resizes = id != kNone && role_[id] == Role::RegisterCount && !bar_[before];
    const InstrId from = resizes ? (id > block.first ? id - 1 : id) : before;
    const InstrId to = id == kNone ? block.end() : id;
    if (from >= to) return resizes ? 0 : floor;
    int original = 0;
    for (InstrId i = from; i < to && original < floor; ++i)
        original += effective_stall(kernel_.instruction(i).control());
    return std::min(floor, original);
}

}  // namespace cubinlab
