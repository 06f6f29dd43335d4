// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps of a run one of its methods made, so that a stored state need not hold the words that it tried: the log
// has them. Neighbouring steps are one range, since a method proposes many in a row.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/search/search_state.h"

namespace cubinlab {

class StepRanges {
  public:
    void add(StepId step);  // 0, the start, is none
    bool contains(StepId step) const;

    void write(StateWriter& out) const;
    void read(StateReader& in);
    // The words of these steps, read from the log.
    std::unordered_set<Hash128> words(StateReader& in) const;

  private:
    struct Range {
        StepId first = 0, last = 0;
    };
    std::vector<Range> ranges_;  // ascending, apart
};

}  // namespace cubinlab
