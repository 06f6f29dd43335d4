// SPDX-License-Identifier: GPL-3.0-or-later
// One input set on the device: every buffer of the workload between guard zones of a fixed pattern, in one
// allocation. Addresses are 4 KiB aligned. The guard follows the last byte of a buffer (rounded up to 16), so
// a store one element too far is detected.
//
// The sets of a captured workload share one memory at the original addresses (captured_space.h); `reset`
// writes the contents of a set. Pages that the captured launch changed are outputs, the others inputs; the
// rest of the mapped pieces is guard.
//
//   | guard | buffer 0 | guard | buffer 1 | guard | pristine copy of an in-out buffer | guard |
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/gpu/protocol/captured_launch.h"
#include "core/gpu/worker/captured_space.h"
#include "core/gpu/protocol/digest.h"
#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

inline constexpr unsigned kGuardWord = 0xa5c31e87u;  // the pattern of guard zones

enum class RegionUse : std::uint8_t { Guard, Input, Output };
struct ArenaRegion {
    RegionUse use = RegionUse::Guard;
    int param = -1;  // index of the buffer; of a guard: the buffer before it (-1: the first guard)
    DigestRegion memory;
};

using InputFiles = std::map<int, std::vector<std::byte>>;  // contents for buffers with InitFile

class GpuArena {
  public:
    static std::size_t bytes_needed(const Workload& workload);
    static Result<GpuArena> create(GpuDevice& device, const Workload& workload, const InputFiles& files,
                                   std::uint64_t seed, int set);

    static Result<GpuArena> create_captured(GpuDevice& device, const Workload& workload,
                                            const CapturedLaunch& launch, const CapturedSpace& space,
                                            std::size_t set);

    // Fills outputs with the poison pattern and restores in-out buffers. Enqueues only.
    Status reset(GpuDevice& device) const;
    // Restores in-out buffers only, as a timed launch needs.
    Status restore_inout(GpuDevice& device) const;
    bool has_inout() const { return !pristine_.empty() || !symbols_.empty(); }
    // Restores captured variables and constants in the module of this kernel.
    Status restore_symbols(GpuDevice& device, const LoadedKernel& kernel) const;
    // All sets have the same memory: the results of a set last until the next reset().
    bool shares_memory() const { return shares_memory_; }
    // Digests after the captured launch, by region; empty for a workload that is not captured.
    const std::vector<Digest>& captured_after() const { return captured_after_; }
    const std::vector<ArenaRegion>& regions() const { return regions_; }
    // What a launch reads and the kernel before it may have written: buffers with contents. Captured: from each address
    // among the parameters to the next one, to the first page that the launch changes, or to the end of the allocation.
    // If the launch changes all that they point at (it works in place), the changed pages.
    const std::vector<DigestRegion>& inputs() const { return inputs_; }
    void** params() const { return pointers_.data(); }
    // Copies the contents of a buffer to the host (waits for the stream).
    Result<std::vector<std::byte>> read(GpuDevice& device, int param, std::size_t bytes) const;
    Result<std::vector<std::byte>> read(GpuDevice& device, const ArenaRegion& region) const;

  private:
    struct Placed {
        int param = -1;
        std::size_t offset = 0, bytes = 0;
        bool poisoned = false;
    };
    struct Pristine {
        std::size_t from = 0, to = 0, bytes = 0;  // `to`: offset, or address if memory is shared
    };
    struct Symbol {
        std::string name;
        std::size_t from = 0, bytes = 0;
    };
    void place(const Workload& workload);
    Status upload(GpuDevice& device, const Workload& workload, const InputFiles& files, std::uint64_t seed,
                  int set);
    void bind_params(const Workload& workload);
    Status place_captured(GpuDevice& device, const CapturedSpace& space, std::size_t set);
    void find_captured_inputs();
    std::uint64_t target(const Pristine& copy) const {
        return shares_memory_ ? copy.to : memory_.address() + copy.to;
    }

    DeviceMemory memory_;
    std::size_t total_ = 0;
    std::vector<Placed> placed_;
    std::vector<Pristine> pristine_;
    std::vector<Symbol> symbols_;
    std::vector<Digest> captured_after_;
    bool shares_memory_ = false;
    std::vector<DigestRegion> inputs_;
    std::vector<ArenaRegion> regions_;  // place() fills in offsets, later replaced by addresses
    std::vector<std::vector<std::byte>> values_;
    mutable std::vector<void*> pointers_;
};

}  // namespace cubinlab
