// SPDX-License-Identifier: GPL-3.0-or-later
// A second kernel that runs concurrently with the one under test, so that a fuzz run covers more than the
// timing of an idle GPU. On its own stream it streams through a buffer larger than L2, causes shared-memory
// bank conflicts and keeps the FMA and special-function pipes busy. Its blocks are small, so that they share
// multiprocessors with the kernel under test. Every launch is short and ends by the GPU's clock: context
// synchronisation does not wait long, and the candidate is not starved.
//
// `cubinlab-lab-worker --background-load` is a bench worker with it. Times measured meanwhile are not valid.
#pragma once
#include <memory>
#include <thread>

#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

class BackgroundLoad {
  public:
    // Errors: Worker (the kernel does not assemble, no memory).
    static Result<std::unique_ptr<BackgroundLoad>> start(GpuDevice& device, std::uint64_t seed);
    ~BackgroundLoad();
    BackgroundLoad(const BackgroundLoad&) = delete;
    BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  private:
    explicit BackgroundLoad(GpuDevice& device) : device_(device) {}
    Status prepare();
    void run(const std::stop_token& stop, std::uint64_t seed);

    GpuDevice& device_;
    cu::CUdevice handle_ = 0;
    cu::CUcontext context_ = nullptr;
    cu::CUmodule module_ = nullptr;
    cu::CUfunction function_ = nullptr;
    cu::CUstream stream_ = nullptr;
    DeviceMemory buffer_;
    std::jthread thread_;  // last: joined before anything it uses goes
};

}  // namespace cubinlab
