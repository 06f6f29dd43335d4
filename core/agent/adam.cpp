// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/adam.h"

#include <cmath>

namespace cubinlab {

Adam::Adam(std::vector<torch::Tensor> parameters) : parameters_(std::move(parameters)) {
    for (const torch::Tensor& parameter : parameters_) {
        mean.push_back(torch::zeros_like(parameter));
        square.push_back(torch::zeros_like(parameter));
    }
}

void Adam::zero_grad() {
    for (torch::Tensor& parameter : parameters_)
        if (parameter.grad().defined()) parameter.mutable_grad().zero_();
}

double Adam::clip_gradients(double largest_norm) {
    const torch::NoGradGuard guard;
    double sum = 0;
    for (const torch::Tensor& parameter : parameters_)
        if (parameter.grad().defined()) sum += std::pow(parameter.grad().norm().item<double>(), 2);
    const double norm = std::sqrt(sum);
    if (norm > largest_norm) {
        for (torch::Tensor& parameter : parameters_)
            if (parameter.grad().defined()) parameter.mutable_grad().mul_(largest_norm / (norm + 1e-6));
    }
    return norm;
}

void Adam::step(double learning_rate) {
    constexpr double kBeta1 = 0.9;
    constexpr double kBeta2 = 0.999;
    constexpr double kEpsilon = 1e-5;  // as in the paper's code
    const torch::NoGradGuard guard;
    ++steps;
    const double correct1 = 1 - std::pow(kBeta1, static_cast<double>(steps));
    const double correct2 = 1 - std::pow(kBeta2, static_cast<double>(steps));
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const torch::Tensor& gradient = parameters_[i].grad();
        if (!gradient.defined()) continue;
        mean[i].mul_(kBeta1).add_(gradient, 1 - kBeta1);
        square[i].mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
        const torch::Tensor scale = (square[i].sqrt() / std::sqrt(correct2)).add_(kEpsilon);
        parameters_[i].addcdiv_(mean[i], scale, -learning_rate / correct1);
    }
}

}  // namespace cubinlab
