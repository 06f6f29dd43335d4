// SPDX-License-Identifier: GPL-3.0-or-later
// Adam (Kingma and Ba, arXiv 1412.6980) with bias correction.
#pragma once
#include <cstdint>
#include <vector>

#include "core/agent/torch_api.h"

namespace cubinlab {

class Adam {
  public:
    explicit Adam(std::vector<torch::Tensor> parameters);
    void step(double learning_rate);  // uses and keeps the gradients
    void zero_grad();
    double clip_gradients(double largest_norm);  // returns the norm before clipping
    std::int64_t steps = 0;
    std::vector<torch::Tensor> mean;  // first and second moments, by parameter
    std::vector<torch::Tensor> square;

  private:
    std::vector<torch::Tensor> parameters_;
};

}  // namespace cubinlab
