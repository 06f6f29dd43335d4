// SPDX-License-Identifier: GPL-3.0-or-later
// What the measurements of one start say of its speed-up against the original. The searcher ranks by it, and so does whoever
// reads the log.
#pragma once
#include <algorithm>

#include "core/result/outcome.h"

namespace cubinlab {

class StartEstimate {
  public:
    // The outcome of a comparison with the original. A screening is one load and has weight 1; a refinement has longer
    // samples, and each of its loads has weight 2. What no worker could measure says nothing of the start.
    void add(const Outcome& outcome) {
        failed_ = failed_ || (!outcome.ok() && outcome.kind != OutcomeKind::WorkerLost);
        if (!outcome.ok()) return;
        const auto loads = static_cast<double>(std::max<std::size_t>(1, outcome.states.size()));
        const double weight = loads > 1 ? 2 * loads : 1;
        sum_ += outcome.speedup.log * weight;
        weight_ += weight;
    }
    bool failed() const { return failed_; }  // it was seen not to do what the original does
    bool empty() const { return weight_ == 0; }
    double weight() const { return weight_; }
    double mean() const { return weight_ > 0 ? sum_ / weight_ : 0; }
    // The mean of a screening lies about 0.5 % around the truth, that of codes about 2 % around their own mean: the estimate
    // shrinks toward zero as long as there are few measurements.
    double shrunken() const { return sum_ / (weight_ + 0.25); }

  private:
    double sum_ = 0, weight_ = 0;
    bool failed_ = false;
};

}  // namespace cubinlab
