// SPDX-License-Identifier: GPL-3.0-or-later
// One input set on the device: every buffer of the workload between guard zones of a fixed pattern, in one
// allocation. Addresses are 4 KiB aligned; the guard follows a buffer's last byte directly (rounded up to
// 16), so a store one element too far is seen.
//
//   | guard | buffer 0 | guard | buffer 1 | guard | pristine copy of an in-out buffer | guard |
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/measure/digest.h"
#include "core/measure/gpu_device.h"

namespace cubinlab {

enum class RegionUse : std::uint8_t { Guard, Input, Output };
struct ArenaRegion {
    RegionUse use = RegionUse::Guard;
    int param = -1;  // buffer, or for a guard the buffer before it (-1: the first guard)
    DigestRegion memory;
};

using InputFiles = std::map<int, std::vector<std::byte>>;  // contents for buffers with init by file

class GpuArena {
  public:
    static std::size_t bytes_needed(const Workload& workload);
    static Result<GpuArena> create(GpuDevice& device, const Workload& workload, const InputFiles& files,
                                   std::uint64_t seed, int set);

    // Outputs to the poison pattern, in-out buffers back to their first contents. Enqueued, not waited for.
    Status reset(GpuDevice& device) const;
    // In-out buffers alone: what a timed launch needs.
    Status restore_inout(GpuDevice& device) const;
    bool has_inout() const { return !pristine_.empty(); }
    const std::vector<ArenaRegion>& regions() const { return regions_; }
    void** params() const { return pointers_.data(); }
    // Copies a buffer's present contents to the host (waits for the stream).
    Result<std::vector<std::byte>> read(GpuDevice& device, int param, std::size_t bytes) const;

  private:
    struct Placed {
        int param = -1;
        std::size_t offset = 0, bytes = 0;
        bool poisoned = false;
    };
    struct Pristine {
        std::size_t from = 0, to = 0, bytes = 0;
    };
    void place(const Workload& workload);
    Status upload(GpuDevice& device, const Workload& workload, const InputFiles& files, std::uint64_t seed,
                  int set);
    void bind_params(const Workload& workload);

    DeviceMemory memory_;
    std::size_t total_ = 0;
    std::vector<Placed> placed_;
    std::vector<Pristine> pristine_;
    std::vector<ArenaRegion> regions_;  // filled in by place() with offsets, then made addresses
    std::vector<std::vector<std::byte>> values_;
    mutable std::vector<void*> pointers_;
};

}  // namespace cubinlab
