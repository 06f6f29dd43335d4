// SPDX-License-Identifier: GPL-3.0-or-later
// What of a session does not follow from the rest of it, value by value. Only so many are kept word for word, however
// many there are; all of them are counted.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/ids.h"

namespace cubinlab {

struct Deviation {
    std::string where;  // "run 1, step 7"
    std::string what;   // "accepted is 0, the agent made it 1"
};

// Where a step's deviations are.
inline std::string at_step(RunId run, StepId step) {
    return "run " + std::to_string(run) + ", step " + std::to_string(step);
}

class Deviations {
  public:
    static constexpr std::size_t kMostKept = 200;
    void add(std::string where, std::string what) {
        if (kept_.size() < kMostKept) kept_.push_back({std::move(where), std::move(what)});
        ++count_;
    }
    const std::vector<Deviation>& kept() const { return kept_; }
    std::size_t count() const { return count_; }
    bool empty() const { return count_ == 0; }

  private:
    std::vector<Deviation> kept_;
    std::size_t count_ = 0;
};

}  // namespace cubinlab
