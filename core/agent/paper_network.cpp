// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/paper_network.h"

#include <algorithm>
#include <cmath>

#include "core/agent/weights.h"

namespace cubinlab {
namespace {

constexpr std::int64_t kPooledRows = 32;

}  // namespace

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

}  // namespace cubinlab
