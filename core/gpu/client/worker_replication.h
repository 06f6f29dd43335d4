// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison over fresh worker processes. The difference of two schedules depends a little on the process
// (addresses, setup of the context): on an H200 the effect of a padded gemm_leaky_mma has a standard
// deviation of 0.1 % between processes, as much as between loads, and more loads in one process do not show
// it. So the process is the unit of replication.
#pragma once
#include <stop_token>

#include "core/gpu/client/gpu_client.h"

namespace cubinlab {

inline constexpr int kMostReplicates = 24;
// The GPU is idle for some tenths of a second between two workers.
inline constexpr int kReplicateWarmUpMs = 250;

// Distributes request.loads over fresh workers: one load pair each up to kMostReplicates workers, then more
// load pairs per worker. The first worker warms the GPU up for request.warm_up_ms (not at all if it has just calibrated),
// each other one for kReplicateWarmUpMs. Each draws its own order, input sets and addresses.
// `details.by_load` of the result has one list of samples per worker; verdict and interval are over their means
// (judge_loads). The first outcome that is not Ok is returned. The last worker measures the energy. Errors:
// as GpuClient::compare.
Result<BenchComparison> compare_over_workers(GpuClient& client, CompareRequest request, std::uint64_t seed,
                                             double same_within, const std::stop_token& stop);

}  // namespace cubinlab
