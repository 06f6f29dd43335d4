// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's network: three convolutions over the instruction matrix, a fully connected layer, an actor with
// one logit for each (movable operation, up | down) and a critic.
//
//   input    [batch, 1, rows, columns]   rows = instructions (at least 16), columns = features
//   conv1    5x3, stride (2,1), pad 1    conv2  4x4, stride 2, pad (0,1)    conv3  3x3         ReLU each
//   compact: channels 16/32/32, rows pooled to at most 32 (mean), FC 256
//   paper:   channels 32/64/64, no pooling, FC 512
//
// Orthogonal initial weights (gain sqrt 2; actor 0.01; critic 1) from the given random numbers, zero biases.
#pragma once
#include <cstdint>

#include "core/agent/policy_network.h"

namespace cubinlab {

class PaperNetwork : public PolicyNetwork {
  public:
    PaperNetwork(NetworkShape shape, Rng& random);
    PolicyOutput forward(const torch::Tensor& input) override;

  private:
    torch::nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
    torch::nn::Linear hidden_{nullptr}, actor_{nullptr}, critic_{nullptr};
    std::int64_t pooled_rows_ = 0;
    std::int64_t pooled_columns_ = 0;
};

}  // namespace cubinlab
