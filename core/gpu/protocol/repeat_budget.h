// SPDX-License-Identifier: GPL-3.0-or-later
// Limits how many blocks of samples are repeated because the GPU was throttled. A short slowdown is worth a
// repetition. Under a lasting one (the power cap that a long kernel reaches) the repetition is as slow, and
// repeating every block would double the cost of each candidate.
#pragma once
#include <algorithm>

namespace cubinlab {

class RepeatBudget {
  public:
    // Call for every block. True: repeat this block; the budget is charged.
    bool may_repeat(bool slowed) {
        credit_ = std::min(credit_ + kEarned, kMost);
        if (!slowed || credit_ < 1) return false;
        credit_ -= 1;
        return true;
    }

  private:
    static constexpr double kEarned = 0.1;  // at most one block in ten is a repetition in the long run
    static constexpr double kMost = 40;     // the number of loads of the longest confirmation
    double credit_ = 16;
};

}  // namespace cubinlab
