// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the SM model for a launch of a kernel. Every modelled figure is made with these, and recomputed with them.
#pragma once
#include <optional>

#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/model/trip_counts.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

// Constant bank 0 and the dimensions, as far as the workload (or, for the block, the cubin) tells.
LaunchValues launch_values(const Kernel& kernel, const std::optional<Workload>& workload);

// Block size, grid and shared memory of the workload where there is one, else the block size that the cubin requires or allows
// at most, else the default; and the passes of loops in that launch.
SmModelSettings model_settings(const Kernel& kernel, const std::optional<Workload>& workload);
// Who said how many threads there are: "the workload", "the cubin", "an assumption".
const char* threads_from(const Kernel& kernel, const std::optional<Workload>& workload);

}  // namespace cubinlab
