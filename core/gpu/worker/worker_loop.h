// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's side of the protocol: one thread reads requests, one measures, one is the watchdog. The worker
// exits when its input ends, even while the GPU hangs, so a lost connection leaves no process behind.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

// Work that runs on the device from the end of a preparation until the next one.
using BackgroundWork = std::function<Result<std::shared_ptr<void>>(GpuDevice&, std::uint64_t seed)>;

// Takes over descriptors 0 and 1 (later output to 1 goes to 2). Returns the exit status.
int run_worker(const BackgroundWork& background = {});

}  // namespace cubinlab
