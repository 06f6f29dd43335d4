// SPDX-License-Identifier: GPL-3.0-or-later
// Generalised advantage estimation (Schulman et al., arXiv 1506.02438) over one environment's rollout.
//
//   delta_t = r_t + gamma * V_(t+1) * (1 - ends_t) - V_t
//   A_t     = delta_t + gamma * lambda * (1 - ends_t) * A_(t+1)
//   return  = A_t + V_t
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace cubinlab {

struct Advantages {
    std::vector<double> advantage;
    std::vector<double> target;  // of the value function
};

// `ends[t]`: the episode ended with step t; later steps do not count for it. `value_after`: V of the state
// after the last step.
inline Advantages estimate_advantages(std::span<const double> reward, std::span<const double> value,
                                      const std::vector<bool>& ends, double value_after, double gamma,
                                      double lambda) {
    const std::size_t count = reward.size();
    Advantages result{std::vector<double>(count), std::vector<double>(count)};
    double running = 0;
    for (std::size_t t = count; t-- > 0;) {
        const double going_on = ends[t] ? 0.0 : 1.0;
        const double next = t + 1 < count ? value[t + 1] : value_after;
        const double delta = reward[t] + gamma * next * going_on - value[t];
        running = delta + gamma * lambda * going_on * running;
        result.advantage[t] = running;
        result.target[t] = running + value[t];
    }
    return result;
}

}  // namespace cubinlab
