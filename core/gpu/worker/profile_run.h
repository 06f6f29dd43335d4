// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-bench-worker --profile CUBIN WORKLOAD [LAUNCHES [DEVICE]]`: only launches the kernel a few times
// on one input set, for a profiler that runs the worker.
#pragma once
#include <filesystem>

namespace cubinlab {

int run_profile(const std::filesystem::path& cubin, const std::filesystem::path& workload, int launches,
                int device);

}  // namespace cubinlab
