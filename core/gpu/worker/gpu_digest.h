// SPDX-License-Identifier: GPL-3.0-or-later
// Digests of device memory (core/gpu/protocol/digest.h): by a small kernel that the driver assembles at start and
// that is checked against the host's computation before it is trusted, or, where the driver cannot assemble
// PTX, by copying to the host.
#pragma once
#include <array>
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

    // Waits for the stream's work, then digests each region. The table is sent anew each time, since a stray
    // store of a candidate may have hit it.
    Result<std::vector<Digest>> run(std::span<const DigestRegion> regions);
    // The same in two steps, on the device only: what is enqueued sees what the stream did before it, and is there once
    // the host has waited for the stream.
    // Each slot holds what was enqueued there last.
    enum class Slot : std::uint8_t { First, FirstOfSecondWave, LastOfFirstWave, Last };
    Status enqueue(Slot slot, std::span<const DigestRegion> regions);
    std::vector<Digest> seen(Slot slot) const;
    bool on_device() const { return function_ != nullptr; }
    const std::string& note() const { return note_; }  // why not on the device

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
    DeviceMemory table_;  // as staged, of whichever slot is under way
    std::array<Staging, 4> slots_;
    std::string note_;
};

}  // namespace cubinlab
