// SPDX-License-Identifier: GPL-3.0-or-later
// The launch that an explanation is made for, and where its number of threads comes from.
#pragma once
#include <optional>

#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/model/trip_counts.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct ExplainSettings {
    SmModelSettings model;
    const char* threads_from = "";  // "the workload", "the cubin", "an assumption"
};

// Constant bank 0 and the dimensions, as far as the workload (or, for the block, the cubin) tells.
LaunchValues launch_values(const Kernel& kernel, const std::optional<Workload>& workload);

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload);

}  // namespace cubinlab
