// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics that every learning agent reports after an update: resources/docs/agents.md.
#pragma once
#include "core/agent/ppo_learner.h"
#include "core/search/engine/searcher.h"

namespace cubinlab {

inline void report_update(const UpdateReport& report, double learning_rate, ObserveResult& result) {
    result.metrics.push_back({"policy_loss", report.policy_loss});
    result.metrics.push_back({"value_loss", report.value_loss});
    result.metrics.push_back({"entropy", report.entropy});
    result.metrics.push_back({"approx_kl", report.approx_kl});
    result.metrics.push_back({"clip_fraction", report.clip_fraction});
    result.metrics.push_back({"gradient_norm", report.gradient_norm});
    result.metrics.push_back({"learning_rate", learning_rate});
}

}  // namespace cubinlab
