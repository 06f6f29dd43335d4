// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/policy_network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cubinlab {
namespace {

constexpr std::int64_t kPooledRows = 32;

double normal(Rng& random) {
    constexpr double kTwoPi = 6.283185307179586;
    const double u = 1.0 - random.unit();  // (0, 1]
    return std::sqrt(-2.0 * std::log(u)) * std::cos(kTwoPi * random.unit());
}

// Initial weights of a layer from the given random numbers: orthonormal rows (or columns, if there are fewer)
// times `gain` (Saxe et al., arXiv 1312.6120); zero biases.
void initialise_layer(torch::Tensor weight, torch::Tensor bias, double gain, Rng& random) {
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

// The paper's network: three convolutions over the instruction matrix, a fully connected layer, an actor with
// one logit for each (movable operation, up | down) and a critic.
//
//   input    [batch, 1, rows, columns]   rows = instructions (at least 16), columns = features
//   conv1    5x3, stride (2,1), pad 1    conv2  4x4, stride 2, pad (0,1)    conv3  3x3         ReLU each
//   compact: channels 16/32/32, rows pooled to at most 32 (mean), FC 256
//   paper:   channels 32/64/64, no pooling, FC 512
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

PaperNetwork::PaperNetwork(NetworkShape shape, Rng& random) : PolicyNetwork(shape) {
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
    initialise_layer(conv1_->weight, conv1_->bias, relu, random);
    initialise_layer(conv2_->weight, conv2_->bias, relu, random);
    initialise_layer(conv3_->weight, conv3_->bias, relu, random);
    initialise_layer(hidden_->weight, hidden_->bias, relu, random);
    initialise_layer(actor_->weight, actor_->bias, 0.01, random);
    initialise_layer(critic_->weight, critic_->bias, 1.0, random);
}

PolicyOutput PaperNetwork::forward(const torch::Tensor& input) {
    torch::Tensor x = torch::relu(conv1_->forward(input));
    x = torch::relu(conv2_->forward(x));
    x = torch::relu(conv3_->forward(x));
    if (x.size(2) != pooled_rows_) x = torch::adaptive_avg_pool2d(x, {pooled_rows_, pooled_columns_});
    x = torch::relu(hidden_->forward(x.flatten(1)));
    return {actor_->forward(x), critic_->forward(x).squeeze(1)};
}

}  // namespace

std::shared_ptr<PolicyNetwork> make_network(const NetworkShape& shape, Rng& random) {
    return std::make_shared<PaperNetwork>(shape, random);
}

}  // namespace cubinlab
