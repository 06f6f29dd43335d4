// SPDX-License-Identifier: GPL-3.0-or-later
// The launch that an explanation is made for, and where its number of threads comes from.
#pragma once
#include <optional>

#include "core/evidence/model_settings.h"
#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct ExplainSettings {
    SmModelSettings model;
    const char* threads_from = "";  // "the workload", "the cubin", "an assumption"
};

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload);

}  // namespace cubinlab
