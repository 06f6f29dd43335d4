// SPDX-License-Identifier: GPL-3.0-or-later
// Writes memory as a kernel does whose results the next kernel reads. A small kernel, which the driver assembles,
// loads each 16 bytes of a range and of another buffer of the same size, and stores the first ones again. So the
// contents stay, the L2 holds the last written lines as dirty lines, and what the producer read lies among them.
// If the driver assembles no PTX, the range is copied to the other buffer and back.
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

    // Enqueues the work for each range, in their order. `other`: of which as much is used as is written.
    Status write(GpuDevice& device, std::span<const DigestRegion> ranges, const DeviceMemory& other);

  private:
    void assemble(GpuDevice& device);
    Status launch_on(GpuDevice& device, const DigestRegion& range, const DeviceMemory& other) const;
    static Status copy_twice(GpuDevice& device, const DigestRegion& range, const DeviceMemory& other);
    const cu::Api* api_ = nullptr;  // null: not tried yet
    cu::CUmodule module_ = nullptr;
    cu::CUfunction function_ = nullptr;
};

}  // namespace cubinlab
