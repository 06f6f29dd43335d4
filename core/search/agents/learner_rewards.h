// SPDX-License-Identifier: GPL-3.0-or-later
// What the two learners (`ppo`, `ppo-cuasmrl`) make of an outcome. Neither asks its network or draws a number for it: reward
// and acceptance follow from what came of the step and of the one that it was made on. So they are the same on every
// machine.
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

// `before`, everywhere: log speed-up, against the start, of the schedule that the step was made on.

// Change of run time in percent of the start's; whatever ran well is gone on from.
inline Judgement judge_as_paper(const Outcome& outcome, double before, double failure_reward) {
    if (!outcome.ok()) return {failure_reward, false};
    return {(std::exp(-before) - std::exp(-outcome.speedup.log)) * 100, true};
}

// Percent gained, 0 where the interval of the gain includes it, not below -`loss_floor`. Accepted by the gain, not by the
// reward: a loss that costs nothing is still not taken, or a walker could go down for free and be paid for coming up again.
inline Judgement judge_by_gain(const Outcome& outcome, double before, double failure_reward,
                               double loss_floor) {
    if (!outcome.ok()) return {failure_reward, false};
    const double change = outcome.speedup.log - before;
    const double noise = (outcome.speedup.high - outcome.speedup.low) / 2;
    const double gain = std::abs(change) < noise ? 0 : 100 * change;
    return {std::max(gain, -loss_floor), gain >= 0};
}

}  // namespace cubinlab
