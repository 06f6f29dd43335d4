// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's network: three convolutions over the instruction matrix, a fully connected layer, an actor with
// one logit for each (movable operation, up | down) and a critic.
//
//   input    [batch, 1, rows, columns]   rows = instructions (at least 16), columns = features
//   conv1    5x3, stride (2,1), pad 1    conv2  4x4, stride 2, pad (0,1)    conv3  3x3         ReLU each
//   compact: channels 16/32/32, rows pooled to at most 32 (mean), FC 256
//   paper:   channels 32/64/64, no pooling, FC 512
//
// Orthogonal initial weights (gain sqrt 2; actor 0.01; critic 1), zero biases, from the given random numbers
// only.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/agent/network_shape.h"
#include "core/agent/torch_api.h"
#include "core/search/rng.h"

namespace cubinlab {

class PolicyNetwork : public torch::nn::Module {
  public:
    PolicyNetwork(NetworkShape shape, Rng& random);
    struct Output {
        torch::Tensor logits;  // [batch, actions]
        torch::Tensor value;   // [batch]
    };
    Output forward(const torch::Tensor& input);
    const NetworkShape& shape() const { return shape_; }

  private:
    NetworkShape shape_;
    torch::nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
    torch::nn::Linear hidden_{nullptr}, actor_{nullptr}, critic_{nullptr};
    std::int64_t pooled_rows_ = 0;
    std::int64_t pooled_columns_ = 0;
};

// Adam (Kingma and Ba, arXiv 1412.6980) with bias correction. Our own, because the state has to go to and
// from a checkpoint that is the same for every LibTorch, and LibTorch 1.13 loses the learning rate of its
// own.
class Adam {
  public:
    explicit Adam(std::vector<torch::Tensor> parameters);
    void step(double learning_rate);  // uses and keeps the gradients
    void zero_grad();
    double clip_gradients(double largest_norm);  // returns the norm before
    std::int64_t steps = 0;
    std::vector<torch::Tensor> mean;  // first and second moments, by parameter
    std::vector<torch::Tensor> square;

  private:
    std::vector<torch::Tensor> parameters_;
};

}  // namespace cubinlab
