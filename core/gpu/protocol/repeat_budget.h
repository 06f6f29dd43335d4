// SPDX-License-Identifier: GPL-3.0-or-later
// How often blocks of samples may be taken again. A slowdown that passes is worth waiting out; under one that
// lasts, such as the power cap that a long kernel reaches by itself, the next block is as slow as the last,
// and taking every block again would double the cost of each candidate for nothing.
#pragma once
#include <algorithm>

namespace cubinlab {

class RepeatBudget {
  public:
    // For every block, slowed or not. True: it may be taken again, which is then paid for.
    bool may_repeat(bool slowed) {
        credit_ = std::min(credit_ + kEarned, kMost);
        if (!slowed || credit_ < 1) return false;
        credit_ -= 1;
        return true;
    }

  private:
    static constexpr double kEarned = 0.1;  // so in the long run at most one block in ten is a repetition
    static constexpr double kMost = 40;     // as many as the longest confirmation has loads
    double credit_ = 16;
};

}  // namespace cubinlab
