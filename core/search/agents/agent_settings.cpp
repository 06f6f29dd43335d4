// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/agent_settings.h"

namespace cubinlab {

const std::vector<SettingRange>& edit_ppo_settings() {
    static const std::vector<SettingRange> known = {
        {"walkers", 8, 1, 256},
        {"learning_rate", 1e-3, 0, 1},
        {"total_steps", 20000, 1, 1e9},
        {"rollout", 64, 2, 4096},
        {"horizon", 128, 1, 100000},
        {"minibatch", 64, 2, 4096},
        {"epochs", 2, 1, 100},
        {"gamma", 0, 0, 1},
        {"gae_lambda", 0.9, 0, 1},
        {"clip", 0.2, 0.001, 10},
        {"entropy", 0.05, 0, 10},
        {"value", 0.5, 0, 100},
        {"max_grad_norm", 0.5, 1e-6, 1e6},
        {"loss_floor", 0, 0, 1000},
        {"failure_reward", -1, -1000, 0},
    };
    return known;
}

}  // namespace cubinlab
