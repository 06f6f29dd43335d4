// SPDX-License-Identifier: GPL-3.0-or-later
// A search for both caches: every candidate is compared hot and cold, by two workers of which one waits while the other
// measures.
//
// Its figure is the mean of both log speed-ups, its interval the mean of both intervals, each made for half of the error
// probability. What is SLOWER in one of them counts for that loss, whatever the other gains. FASTER needs the mean above
// the SAME zone and, in a confirmation, a figure in each that is no loss: not below -same_within. The text of the outcome
// gives both figures; cost and samples are the hot ones. What fails, or is SLOWER hot, is not tried cold.
#pragma once
#include <memory>
#include <stop_token>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

Result<std::unique_ptr<Evaluator>> make_caches_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop);
// Of any two that judge alike but for the cache.
std::unique_ptr<Evaluator> over_caches(std::unique_ptr<Evaluator> hot, std::unique_ptr<Evaluator> cold,
                                       double same_within);

// `claim`: of a confirmation.
Outcome over_caches(const Outcome& hot, const Outcome& cold, bool claim, double same_within);

}  // namespace cubinlab
