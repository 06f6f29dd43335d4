// SPDX-License-Identifier: GPL-3.0-or-later
// Every single edit that the rules for asynchronous and fence instructions cover, in a fixed order, each as
// its own candidate:
//   - every legal move of or past such an instruction; if only distances forbid it, with the stall counts for
//     them;
//   - every legal control code, one field changed, of such an instruction and of its neighbours.
//
// The edits start from a legal schedule: the original, or the end of a random legal walk. Edit number i of a
// schedule never changes, so a run can be resumed or split, and a failure repeated.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/lab/fuzz/legal_walk.h"

namespace cubinlab {

// Fences and barriers of every kind, copies and matrix instructions that complete later, what starts, groups
// or awaits them (WARPGROUP, SYNCS, ARRIVES, LDGDEPBAR, DEPBAR, UTMA*, UBLKCP ...), ELECT, USETMAXREG, CCTL.
bool is_async_or_fence(const Instruction& instruction);

struct DirectedEdit {
    Mutation mutation;               // legal on the schedule that it was asked of
    std::set<std::string> concerns;  // mnemonics of what is passed, moved or edited
};
std::vector<DirectedEdit> directed_edits(const HazardChecker& checker, const Schedule& base);

class DirectedWalks {
  public:
    // `base` 0: the original; k: the end of walk number k - 1 of `maker`.
    DirectedWalks(CheckerPtr checker, const WalkMaker& maker, std::uint64_t base);

    std::uint64_t count() const { return edits_.size(); }
    // The base's mutations, then edit number `index`. Nothing beyond the last.
    std::optional<Walk> make(std::uint64_t index) const;
    const DirectedEdit& edit(std::uint64_t index) const { return edits_[index]; }

  private:
    Walk base_;
    std::vector<DirectedEdit> edits_;
};

}  // namespace cubinlab
