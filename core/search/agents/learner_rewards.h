// SPDX-License-Identifier: GPL-3.0-or-later
// Reward and acceptance of an outcome for `ppo-cuasmrl`. They depend only on the outcomes of the step and of its parent,
// not on the network or on random numbers, so they are the same on every machine.
//
//   judge_as_paper(ok_at(0.01), 0, -1)     // {0.995, true}: the start takes 100, the step 99.005
#pragma once
#include <cmath>

#include "core/result/outcome.h"

namespace cubinlab {

struct Judgement {
    double reward = 0;
    bool accepted = false;
};

// `before`: log speed-up of the parent schedule against the start.

// Change of the run time in percent of the start's. Every Ok outcome is accepted.
inline Judgement judge_as_paper(const Outcome& outcome, double before, double failure_reward) {
    if (!outcome.ok()) return {failure_reward, false};
    return {(std::exp(-before) - std::exp(-outcome.speedup.log)) * 100, true};
}

}  // namespace cubinlab
