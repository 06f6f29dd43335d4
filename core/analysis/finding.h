// SPDX-License-Identifier: GPL-3.0-or-later
// A hazard before it is put into words: the rules make these, explain() makes sentences of them. Internal.
#pragma once
#include <vector>

#include "core/analysis/hazard.h"
#include "core/analysis/register_access.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Which clause of its rule was broken, where a rule has several.
enum class Clause : std::uint8_t {
    Plain,
    StallTwelve,
    StallZero,
    YieldAtOne,  // stall-yield
    BarrierNotAllowed,
    BarrierFrozen,  // barriers that may not be given or changed
    ReuseWritten,
    ReuseReplaced,
    ReuseUnread,
    ReuseNoOperand,
    ShorterThanOriginal,  // no table: the original's own distance
    UnknownCode,          // call, return or a branch to an unknown place
    BarrierToMemory,
    NotRetired,   // a register of a tensor group that no wait has retired
    Unproven,     // pinned: the original itself does not prove this pair complete
    Workaround,   // pinned: the dummy loads in front of a copy, see workaround_loads.h
    LeftPending,  // where code follows that is not known: nothing it waits for stands for this any more
    NotAwaited,   // fence-order: what was complete in the original when memory was accessed
};

struct Finding {
    Rule rule = Rule::Structure;
    Clause clause = Clause::Plain;
    InstrId earlier = kNone;
    InstrId later = kNone;
    int need = 0;
    int have = 0;
    RegIndex reg = kTrackedCount;  // kTrackedCount: not about a register
    int scoreboard = -1;
    const char* resource = nullptr;
};

// Collects findings; a checker that only needs yes or no stops at the first.
class Findings {
  public:
    explicit Findings(bool first_only) : first_only_(first_only) {}
    // More than this are listed of no schedule.
    static constexpr std::size_t kMost = 100'000;

    // True: enough, stop checking.
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
