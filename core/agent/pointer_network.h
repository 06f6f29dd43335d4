// SPDX-License-Identifier: GPL-3.0-or-later
// The network of `ppo`: the same weights for every instruction, so that its size does not depend on the
// kernel, and a logit for each (instruction, act).
//
//   input   [batch, 1, rows, columns]   rows = drawn instructions, columns = features of EditGame
//   each row      FC 64, ReLU           h
//   all rows      mean of h             summary of the kernel
//   each row      FC 64 of h and mean   ReLU, then FC to `actions / rows` logits
//   value         FC 64 of mean, ReLU, FC 1
#pragma once
#include "core/agent/policy_network.h"

namespace cubinlab {

class PointerNetwork : public PolicyNetwork {
  public:
    PointerNetwork(NetworkShape shape, Rng& random);
    PolicyOutput forward(const torch::Tensor& input) override;

  private:
    torch::nn::Linear embed_{nullptr}, context_{nullptr}, mix_{nullptr}, actor_{nullptr};
    torch::nn::Linear judge_{nullptr}, critic_{nullptr};
};

}  // namespace cubinlab
