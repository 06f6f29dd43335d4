// SPDX-License-Identifier: GPL-3.0-or-later
// Proximal policy optimisation (Schulman et al., arXiv 1707.06347) as in CleanRL, which the paper's code
// follows: clipped policy and value losses, entropy bonus, advantages normalised per minibatch, clipped
// gradient norm. Independent of kernels: an observation is a matrix, an action is an index, a mask has the
// legal actions. This header does not include LibTorch, so that only three files of the module compile it.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/agent/network_shape.h"

namespace cubinlab {

struct Transition {
    std::vector<float> observation;  // rows x columns
    std::vector<std::uint8_t> mask;  // actions
    std::int64_t action = 0;
    double log_probability = 0;  // of the action when it was chosen
    double value = 0;            // of the critic at that time
    double reward = 0;
    bool ends = false;  // the episode ended with it
};

// The transitions of one environment in order.
struct Trajectory {
    std::vector<Transition> transitions;
    double value_after = 0;  // V of the state after the last one, 0 if that ended an episode
};

struct Decision {
    std::int64_t action = 0;  // kNoAction: every action is masked
    double log_probability = 0;
    double value = 0;
};

struct UpdateReport {  // means over the minibatches of one update
    double policy_loss = 0;
    double value_loss = 0;
    double entropy = 0;
    double approx_kl = 0;
    double clip_fraction = 0;
    double gradient_norm = 0;
};

class PpoLearner {
  public:
    static constexpr std::int64_t kNoAction = -1;

    // LibTorch uses one core from now on, so that the same seed gives the same sums.
    PpoLearner(NetworkShape shape, PpoSettings settings, std::uint64_t seed);
    ~PpoLearner();

    // At least one action of `mask` is legal.
    Decision decide(const std::vector<float>& observation, const std::vector<std::uint8_t>& mask);
    double value_of(const std::vector<float>& observation);
    UpdateReport update(const std::vector<Trajectory>& rollout, double learning_rate);

    struct Impl;

  private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace cubinlab
