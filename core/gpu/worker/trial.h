// SPDX-License-Identifier: GPL-3.0-or-later
// One warp of a small kernel: the worker's side of core/gpu/client/kernel_trial.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

// The 64 words that it stored. An error of the launch may have cost the context.
Result<std::vector<std::uint32_t>> run_one_warp(GpuDevice& device, std::span<const std::byte> cubin,
                                                const std::string& kernel, std::uint32_t number);

}  // namespace cubinlab
