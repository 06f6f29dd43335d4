// SPDX-License-Identifier: GPL-3.0-or-later
// Describes in words, with measured examples, what the policy that builds orders of PTX learned in a tuning (`construct` of
// auto). It is read from the log: no compiler and no training is needed.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/search/starts/order_policy.h"
#include "core/start/find_ptx.h"
#include "core/store/session.h"

namespace cubinlab {

struct LearnedOrders {
    struct Preference {
        std::size_t feature = 0;     // kOrderFeatures
        double first = 0, last = 0;  // mean of the first and of the last updates, against the untrained policy
    };
    struct Example {
        StepId step = 0;
        double log_speedup = 0;       // against the original
        double over_parent = 0;  // log speed-up over the start that the order was built around
        std::vector<OrderDecision> decisions;
    };
    RunId run = 0;
    std::size_t updates = 0, orders = 0;  // orders: those of the policy that were judged
    std::vector<Preference> preferences;  // the strongest first
    std::vector<Example> examples;        // the policy's best orders that beat their base
};

// For the newest run over starts. Empty: no policy built orders in it.
Result<std::optional<LearnedOrders>> learned_orders(SessionReader& session, const KernelPtr& original);

// Returns sentences. If `ptx` is the text that the orders rearrange, units are named by their instructions.
std::vector<std::string> text_of(const LearnedOrders& learned, const std::optional<PtxSource>& ptx,
                                 const std::string& kernel);

}  // namespace cubinlab
