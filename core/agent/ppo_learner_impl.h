// SPDX-License-Identifier: GPL-3.0-or-later
// The LibTorch side of PpoLearner.
#pragma once
#include <memory>

#include "core/agent/adam.h"
#include "core/agent/policy_network.h"
#include "core/agent/ppo_learner.h"

namespace cubinlab {

struct PpoLearner::Impl {
    Impl(NetworkShape shape, PpoSettings chosen, std::uint64_t seed)
        : settings(chosen), random(seed), network(make_network(shape, random)), adam(network->parameters()) {}

    PpoSettings settings;
    Rng random;
    std::shared_ptr<PolicyNetwork> network;
    Adam adam;
};

}  // namespace cubinlab
