// SPDX-License-Identifier: GPL-3.0-or-later
// Reduces a failing walk to the mutation that broke it.
#pragma once
#include "app/lab/fuzz/fuzz.h"
#include "app/lab/fuzz/legal_walk.h"

namespace cubinlab {

class FailureShrinker {
  public:
    FailureShrinker(const HazardChecker& checker, Evaluator& evaluator, const WalkMaker& maker,
                    std::stop_token stop)
        : checker_(checker), evaluator_(evaluator), maker_(maker), stop_(std::move(stop)) {}

    // Fills culprit, mutation and reproduced. A failure that does not come again keeps the whole walk.
    void shrink(const Walk& walk, FuzzFailure& failure);
    // Whether it fails in one of three more runs.
    bool fails(const Schedule& schedule);

  private:
    Mutation fewest_edits(Mutation failing);

    const HazardChecker& checker_;
    Evaluator& evaluator_;
    const WalkMaker& maker_;
    std::stop_token stop_;
};

}  // namespace cubinlab
