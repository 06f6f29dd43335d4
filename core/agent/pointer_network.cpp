// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/pointer_network.h"

#include <cmath>

#include "core/agent/weights.h"

namespace cubinlab {
namespace {

constexpr std::int64_t kWidth = 64;

}  // namespace

PointerNetwork::PointerNetwork(NetworkShape shape, Rng& random) : PolicyNetwork(shape) {
    using torch::nn::Linear;
    embed_ = register_module("embed", Linear(shape.columns, kWidth));
    context_ = register_module("context", Linear(kWidth, kWidth));
    mix_ = register_module("mix", Linear(kWidth, kWidth));
    actor_ = register_module("actor", Linear(kWidth, shape.actions / shape.rows));
    judge_ = register_module("judge", Linear(kWidth, kWidth));
    critic_ = register_module("critic", Linear(kWidth, 1));
    const double relu = std::sqrt(2.0);
    initialise_layer(embed_->weight, embed_->bias, relu, random);
    initialise_layer(context_->weight, context_->bias, 1.0, random);
    initialise_layer(mix_->weight, mix_->bias, relu, random);
    initialise_layer(actor_->weight, actor_->bias, 0.01, random);
    initialise_layer(judge_->weight, judge_->bias, relu, random);
    initialise_layer(critic_->weight, critic_->bias, 1.0, random);
}

PolicyOutput PointerNetwork::forward(const torch::Tensor& input) {
    const torch::Tensor rows = torch::relu(embed_->forward(input.squeeze(1)));
    const torch::Tensor mean = rows.mean(1, true);
    const torch::Tensor mixed = torch::relu(mix_->forward(rows) + context_->forward(mean));
    const torch::Tensor value = critic_->forward(torch::relu(judge_->forward(mean.squeeze(1))));
    return {actor_->forward(mixed).flatten(1), value.squeeze(1)};
}

}  // namespace cubinlab
