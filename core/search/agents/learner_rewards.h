// SPDX-License-Identifier: GPL-3.0-or-later
// Reward and acceptance of an outcome for the two learners (`ppo`, `ppo-cuasmrl`). They depend only on the
// outcomes of the step and of its parent, not on the network or on random numbers, so they are the same on
// every machine.
//
//   judge_as_paper(ok_at(0.01), 0, -1)     // {0.995, true}: the start takes 100, the step 99.005
#pragma once
#include <algorithm>
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

// Gain in percent, 0 if its interval includes 0, at least -`loss_floor`. Acceptance depends on the gain, not
// on the reward: otherwise a walker could accept losses for free and be rewarded for the way back.
inline Judgement judge_by_gain(const Outcome& outcome, double before, double failure_reward,
                               double loss_floor) {
    if (!outcome.ok()) return {failure_reward, false};
    const double change = outcome.speedup.log - before;
    const double noise = (outcome.speedup.high - outcome.speedup.low) / 2;
    const double gain = std::abs(change) < noise ? 0 : 100 * change;
    return {std::max(gain, -loss_floor), gain >= 0};
}

}  // namespace cubinlab
