// SPDX-License-Identifier: GPL-3.0-or-later
// A hazard without text: rules report findings, and explain() converts them to sentences. Internal.
#pragma once
#include <vector>

#include "core/legality/hazard.h"
#include "core/legality/register_access.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// The violated clause, for rules with several.
enum class Clause : std::uint8_t {
    Plain,
    StallTwelve,
    StallZero,
    YieldAtOne,  // stall-yield
    BarrierNotAllowed,
    BarrierFrozen,  // barriers that cannot be added or changed
    ReuseWritten,
    ReuseReplaced,
    ReuseUnread,
    ReuseNoOperand,
    ShorterThanOriginal,  // no table: the distance of the original
    UnknownCode,          // call, return or a branch to an unknown target
    BarrierToMemory,
    NotRetired,   // a register of a wgmma group without a wait that retires it
    Unproven,     // pinned: the original does not prove this pair complete
    Workaround,   // pinned: the dummy loads before a copy, see workaround_loads.h
    LeftPending,  // unknown code follows and no scoreboard it waits for covers this result
    NotAwaited,   // fence-order: complete in the original when memory is accessed
};

struct Finding {
    Rule rule = Rule::Structure;
    Clause clause = Clause::Plain;
    InstrId earlier = kNone;
    InstrId later = kNone;
    int need = 0;
    int have = 0;
    RegIndex reg = kTrackedCount;  // kTrackedCount: no register
    int scoreboard = -1;
    const char* resource = nullptr;
};

// Collects findings. A yes/no check stops at the first.
class Findings {
  public:
    explicit Findings(bool first_only) : first_only_(first_only) {}
    // Maximum number of listed findings.
    static constexpr std::size_t kMost = 100'000;

    // Returns true to stop the check.
    bool add(const Finding& finding) {
        bad_ = true;
        if (!first_only_ && list_.size() < kMost) list_.push_back(finding);
        return first_only_ || full();
    }
    bool full() const { return list_.size() >= kMost; }
    bool bad() const { return bad_; }
    bool first_only() const { return first_only_; }
    const std::vector<Finding>& list() const { return list_; }

  private:
    bool first_only_;
    bool bad_ = false;
    std::vector<Finding> list_;
};

Hazard explain(const Finding& finding, const Schedule& schedule);

}  // namespace cubinlab
