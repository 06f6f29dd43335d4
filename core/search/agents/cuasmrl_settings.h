// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of `ppo-cuasmrl`, described in resources/docs/agents.md; defaults are those of the paper's code
// (hgl71964/cuasmrl). They are not in the agent module, so that they can be listed without LibTorch.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/search/agents/searcher_settings.h"

namespace cubinlab {

enum class NetworkKind : std::uint8_t {
    Compact,  // the paper's three convolutions with 16/32/32 channels, rows pooled to 32, FC 256
    Paper,    // 32/64/64 channels, no pooling, FC 512: tens of millions of weights
};

struct PpoSettings {
    NetworkKind network = NetworkKind::Compact;
    double learning_rate = 2.5e-4;     // annealed linearly to 0 over total_steps
    std::int64_t total_steps = 64000;  // evaluated candidates
    int rollout = 64;                  // candidates between updates
    int horizon = 32;                  // moves of an episode
    int minibatch = 8;                 // transitions
    int epochs = 4;
    double gamma = 0.99;
    double gae_lambda = 0.95;
    double clip = 0.2;  // of policy ratio and value
    double entropy = 0.01;
    double value = 0.5;
    double max_grad_norm = 0.5;
    double failure_reward = -1;  // an outcome other than Ok, which also ends the episode

    // Unknown fields and bad values: BadUse names them.
    static Result<PpoSettings> parse(std::string_view json);
    // `numbers` has a value for each number above.
    static PpoSettings from(const Settings& numbers, NetworkKind network);
    std::string json() const;
};

const char* to_string(NetworkKind kind);  // "compact", "paper"

}  // namespace cubinlab
