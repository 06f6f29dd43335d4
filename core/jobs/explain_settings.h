// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads, how much shared memory and how large a grid an explanation is made for, and who said so.
#pragma once
#include <optional>

#include "core/measure/workload.h"
#include "core/model/sm_model.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct ExplainSettings {
    SmModelSettings model;
    const char* threads_from = "";  // "the workload", "the cubin", "an assumption"
};

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload);

}  // namespace cubinlab
