// SPDX-License-Identifier: GPL-3.0-or-later
// Captures one launch with everything that a replay needs, in CUBINLAB_OUT/NUMBER.capture/:
//
//   launch.json   kernel, grid, block, attributes, parameter bytes, regions, omissions
//   module.cubin  the image as the driver received it
//   before.bin    the bytes of all regions, in order, before the launch
//   after.bin     the same bytes after the launch, with holes where nothing changed
//
// Regions are the allocations that an aligned 8-byte value in the parameters points into (tensor maps begin
// with such a value), and the allocations that values in these point into. core/tuning makes the workload.
#pragma once
#include <cstdint>
#include <mutex>
#include <vector>

#include "app/inject/kernels.h"
#include "app/inject/launch.h"
#include "app/inject/timings.h"

namespace cubinlab::inject {

// The sizes of a kernel that were captured, with CUBINLAB_CAPTURE_LAUNCH=sizes:K.
class SizesCaptured {
  public:
    explicit SizesCaptured(std::uint64_t most) : most_(most) {}
    bool wants(const LaunchSize& size);
    void take(const LaunchSize& size);
    void take_another(const LaunchSize& size);  // its launch changed nothing

  private:
    const std::uint64_t most_;
    std::mutex mutex_;
    std::vector<LaunchSize> taken_;
};

// Performs the launch; `started`: the launch was made. After an earlier failure the caller launches.
// `number`: of this launch of the kernel, from 1.
Code capture_launch(LoadedKernel& kernel, const Launch& launch, std::uint64_t number, bool& started);

}  // namespace cubinlab::inject
