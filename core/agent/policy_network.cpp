// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/policy_network.h"

#include <algorithm>
#include <cmath>

namespace cubinlab {
namespace {

constexpr std::int64_t kPooledRows = 32;

double normal(Rng& random) {
    constexpr double kTwoPi = 6.283185307179586;
    const double u = 1.0 - random.unit();  // (0, 1]
    return std::sqrt(-2.0 * std::log(u)) * std::cos(kTwoPi * random.unit());
}

// Rows (or columns, whichever are fewer) orthonormal, times gain: Saxe et al., arXiv 1312.6120.
void initialise(torch::Tensor weight, torch::Tensor bias, double gain, Rng& random) {
    const torch::NoGradGuard guard;
    const std::int64_t rows = weight.size(0);
    const std::int64_t columns = weight.numel() / rows;
    torch::Tensor flat = torch::empty({std::max(rows, columns), std::min(rows, columns)});
    float* data = flat.data_ptr<float>();
    for (std::int64_t i = 0; i < flat.numel(); ++i)
        data[i] = static_cast<float>(normal(random));
    auto [q, r] = torch::linalg_qr(flat, "reduced");
    q = q * torch::diagonal(r).sign();
    if (rows < columns) q = q.t();
    weight.copy_(q.reshape(weight.sizes()) * gain);
    bias.zero_();
}

}  // namespace

PolicyNetwork::PolicyNetwork(NetworkShape shape, Rng& random) : shape_(shape) {
    using torch::nn::Conv2dOptions;
    const bool paper = shape.kind == NetworkKind::Paper;
    const std::int64_t c1 = paper ? 32 : 16;
    const std::int64_t c2 = paper ? 64 : 32;
    const std::int64_t width = paper ? 512 : 256;
    conv1_ = register_module("conv1",
                             torch::nn::Conv2d(Conv2dOptions(1, c1, {5, 3}).stride({2, 1}).padding({1, 1})));
    conv2_ = register_module("conv2",
                             torch::nn::Conv2d(Conv2dOptions(c1, c2, {4, 4}).stride({2, 2}).padding({0, 1})));
    conv3_ = register_module("conv3", torch::nn::Conv2d(Conv2dOptions(c2, c2, {3, 3})));
    const std::int64_t rows = (((shape.rows + 2 - 5) / 2 + 1) - 4) / 2 + 1 - 2;
    pooled_columns_ = (shape.columns + 2 - 4) / 2 + 1 - 2;
    pooled_rows_ = paper ? rows : std::min(rows, kPooledRows);
    hidden_ = register_module("hidden", torch::nn::Linear(c2 * pooled_rows_ * pooled_columns_, width));
    actor_ = register_module("actor", torch::nn::Linear(width, shape.actions));
    critic_ = register_module("critic", torch::nn::Linear(width, 1));
    const double relu = std::sqrt(2.0);
    initialise(conv1_->weight, conv1_->bias, relu, random);
    initialise(conv2_->weight, conv2_->bias, relu, random);
    initialise(conv3_->weight, conv3_->bias, relu, random);
    initialise(hidden_->weight, hidden_->bias, relu, random);
    initialise(actor_->weight, actor_->bias, 0.01, random);
    initialise(critic_->weight, critic_->bias, 1.0, random);
}

PolicyNetwork::Output PolicyNetwork::forward(const torch::Tensor& input) {
    torch::Tensor x = torch::relu(conv1_->forward(input));
    x = torch::relu(conv2_->forward(x));
    x = torch::relu(conv3_->forward(x));
    if (x.size(2) != pooled_rows_) x = torch::adaptive_avg_pool2d(x, {pooled_rows_, pooled_columns_});
    x = torch::relu(hidden_->forward(x.flatten(1)));
    return {actor_->forward(x), critic_->forward(x).squeeze(1)};
}

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
    constexpr double kEpsilon = 1e-5;  // of the paper's code
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
