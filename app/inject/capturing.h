// SPDX-License-Identifier: GPL-3.0-or-later
// One launch with all that it takes to repeat it elsewhere, written to CUBINLAB_OUT/NUMBER.capture/:
//
//   launch.json   kernel, grid, block, attributes, parameter bytes, regions, what was left out
//   module.cubin  the image as the driver got it
//   before.bin    every region's bytes, one behind another, before the launch
//   after.bin     the same places after it, holes where nothing changed
//
// Regions are the allocations that an aligned 8-byte value in the parameters points into (tensor maps begin with such
// a value), and those that values in these point into. The command line makes a workload of it (core/captures).
#pragma once
#include "app/inject/kernels.h"
#include "app/inject/launch.h"

namespace cubinlab::inject {

// Starts the launch itself; `started` says whether it got that far. What fails before leaves the launch to the caller.
// `number`: of this launch among the kernel's, from 1.
Code capture_launch(Kernel& kernel, const Launch& launch, std::uint64_t number, bool& started);

}  // namespace cubinlab::inject
