// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison over fresh worker processes. What two schedules differ by depends a little on the process that
// runs them (where its memory lies, how its context was set up): on an H200 the effect of a padded
// gemm_leaky_mma had a standard deviation of 0.1 % from process to process, as much as from load to load and
// nothing that more loads in one process would show. So the process is the unit of replication.
#pragma once
#include <stop_token>

#include "core/gpu/client/gpu_client.h"

namespace cubinlab {

inline constexpr int kMostReplicates = 24;

// Spreads request.loads over fresh workers: one load pair each up to kMostReplicates, more in each beyond.
// Each worker warms the GPU up and draws its own order, input sets and places in memory. The result has one
// list of samples for each worker in `by_load`, and verdict and interval over their means (judge_loads). The
// first worker whose outcome is not Ok ends it with that outcome. Energy is measured by the last worker.
// Errors: as GpuClient::compare.
Result<BenchComparison> compare_over_workers(GpuClient& client, CompareRequest request, std::uint64_t seed,
                                             double same_within, const std::stop_token& stop);

}  // namespace cubinlab
