// SPDX-License-Identifier: GPL-3.0-or-later
// A policy: maps an observation to one logit per action and to the value of the state.
#pragma once
#include <memory>

#include "core/agent/network_shape.h"
#include "core/agent/torch_api.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

struct PolicyOutput {
    torch::Tensor logits;  // [batch, actions]
    torch::Tensor value;   // [batch]
};

class PolicyNetwork : public torch::nn::Module {
  public:
    explicit PolicyNetwork(NetworkShape shape) : shape_(shape) {}
    virtual PolicyOutput forward(const torch::Tensor& input) = 0;  // [batch, 1, rows, columns]
    const NetworkShape& shape() const { return shape_; }

  private:
    NetworkShape shape_;
};

std::shared_ptr<PolicyNetwork> make_network(const NetworkShape& shape, Rng& random);

}  // namespace cubinlab
