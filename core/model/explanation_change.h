// SPDX-License-Identifier: GPL-3.0-or-later
// The difference of two explanations of a kernel: cycles of a pass by reason and by waiting instruction, and the edits that
// touch each wait that changed.
#pragma once
#include <string>
#include <vector>

#include "core/insight/edit_description.h"
#include "core/model/explanation.h"

namespace cubinlab {

struct ReasonChange {
    WaitReason reason = WaitReason::None;
    int slot = -1;
    double before = 0, after = 0;  // cycles a pass
};

struct WaitChange {
    InstrId instr = 0;
    double before = 0, after = 0;  // cycles a pass, all causes
    std::string text;  // of the cause that changed most, as it is where it is larger; names as in the first
    std::vector<std::size_t>
        edits;  // into ExplanationChange::edits: those that touch the wait, nearest first
};

struct ExplanationChange {
    Mutation mutation;                  // from one schedule to the other
    std::vector<std::string> edits;     // one line each, in the order of mutation.edits
    std::vector<ReasonChange> reasons;  // largest change first; all of them, so that they add up
    std::vector<WaitChange> waits;      // largest change first, every wait that changed
};

// A pass of the loop and the score of the whole kernel change in opposite directions: what changed weighs more outside of
// the loop, or in passes other than those that are explained.
bool opposed(const Explanation& before, const Explanation& after);

ExplanationChange compare(const Schedule& a, const Explanation& before, const Schedule& b,
                          const Explanation& after);

}  // namespace cubinlab
