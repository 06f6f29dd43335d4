// SPDX-License-Identifier: GPL-3.0-or-later
// Writes memory as a kernel does whose results the next kernel reads. A small kernel, which the driver assembles,
// loads each 16 bytes of a range and of another buffer of the same size, and stores the first ones again. So the
// contents stay, the L2 holds the last written lines as dirty lines, and what the producer read lies among them.
#pragma once
#include <span>

#include "core/gpu/protocol/digest.h"
#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

class GpuProducer {
  public:
    GpuProducer() = default;
    ~GpuProducer();
    GpuProducer(const GpuProducer&) = delete;
    GpuProducer& operator=(const GpuProducer&) = delete;

    // Enqueues a launch for each range, in their order. `other` is read, at most as much as is written.
    // Errors: Unsupported (the driver assembles no PTX), and those of a launch.
    Status write(GpuDevice& device, std::span<const DigestRegion> ranges, const DeviceMemory& other);

  private:
    Status assemble(GpuDevice& device);
    const cu::Api* api_ = nullptr;
    cu::CUmodule module_ = nullptr;
    cu::CUfunction function_ = nullptr;
};

}  // namespace cubinlab
