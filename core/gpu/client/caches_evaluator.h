// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates for hot and cold cache: two workers compare every candidate, one after the other.
//
// The figure is the mean of both log speed-ups, the interval the mean of both intervals, each for half of the
// error probability. If a candidate is SLOWER in one of them, the outcome is that loss. FASTER needs a mean
// above the SAME zone and, in a confirmation, both figures at least -same_within. `detail` has both figures;
// cost and samples are from the hot cache. A candidate that fails or is SLOWER hot is not measured cold.
#pragma once
#include <memory>
#include <stop_token>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

Result<std::unique_ptr<Evaluator>> make_caches_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop);
// From two evaluators that differ only in the cache.
std::unique_ptr<Evaluator> over_caches(std::unique_ptr<Evaluator> hot, std::unique_ptr<Evaluator> cold,
                                       double same_within);

// `claim`: the outcomes are confirmations.
Outcome over_caches(const Outcome& hot, const Outcome& cold, bool claim, double same_within);

}  // namespace cubinlab
