// SPDX-License-Identifier: GPL-3.0-or-later
// Digests of device memory (core/gpu/protocol/digest.h). A small kernel computes them; the driver assembles
// it at start, and its results are compared with the host's before it is used. If the driver cannot assemble
// PTX, memory is copied to the host.
#pragma once
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/protocol/digest.h"
#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

class GpuDigester {
  public:
    static Result<std::unique_ptr<GpuDigester>> create(GpuDevice& device);
    ~GpuDigester();
    GpuDigester(const GpuDigester&) = delete;
    GpuDigester& operator=(const GpuDigester&) = delete;

    // Waits for the work of the stream, then digests each region. The table is sent again each time, since an
    // out-of-bounds store of a candidate may have changed it.
    Result<std::vector<Digest>> run(std::span<const DigestRegion> regions);
    // The same in two steps, on the device only: enqueue() digests after the earlier work of the stream;
    // seen() has the result of the last enqueue() to a slot once the host has waited for the stream.
    using Slot = std::size_t;
    Status enqueue(Slot slot, std::span<const DigestRegion> regions);
    std::vector<Digest> seen(Slot slot) const;
    bool on_device() const { return function_ != nullptr; }
    const std::string& note() const { return note_; }  // why digests are not computed on the device

  private:
    explicit GpuDigester(GpuDevice& device) : device_(device) {}
    Status assemble();
    Status self_test();
    struct Staging {
        void* memory = nullptr;    // pinned: pieces, then results
        std::size_t capacity = 0;  // bytes
        std::size_t pieces = 0, regions = 0;
    };
    Status reserve(Staging& staging, std::size_t bytes);
    Result<std::vector<Digest>> run_on_host(std::span<const DigestRegion> regions);

    GpuDevice& device_;
    cu::CUmodule module_ = nullptr;
    cu::CUfunction function_ = nullptr;
    DeviceMemory table_;  // of the slot that is being computed
    std::deque<Staging> slots_;
    std::string note_;
};

}  // namespace cubinlab
