// SPDX-License-Identifier: GPL-3.0-or-later
// A cubin whose kernel was compiled again from its PTX, proven before anything takes it in the place of the original:
//
//   the start     a compilation that the session (or the bundle) stores with its recipe
//   the schedule  legal against that start; nothing else of the cubin differs from it
//   the launch    parameters, attributes, registers, shared and local memory fit (core/start/fit.h)
//   the outputs   a GPU compared them with the original's, bit for bit
#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/gpu/protocol/workload.h"
#include "core/schedule/schedule.h"
#include "core/start/start.h"

namespace cubinlab {

struct RecompiledKernel {
    KernelPtr original;
    Start start;
    Schedule schedule;  // of the start's kernel
    int compared_inputs = 0;
    std::string from;  // where original and start come from
    std::optional<Workload> workload;
};

// Whether the stamp says that the code is recompiled.
bool is_recompiled(const nlohmann::json& stamp);

// A candidate against the start that its stamp names; `start` is its kernel. Errors: Refused (what does not hold), Corrupt
// (the start's cubin is another).
Result<Schedule> prove_schedule_of_start(const Cubin& candidate, const KernelPtr& start, const Start& recipe);
// Refused: it does not fit the launches of the original: those of the workload, without one the largest.
Status check_fits(const Kernel& original, const Kernel& start, const std::optional<Workload>& workload);

// `cubin` with its stamp. The start comes from the bundle of which it is the candidate, or from the session that the stamp
// names, next to the cubin or in the working folder. Errors: NotFound (neither is there), Refused, Corrupt.
Result<RecompiledKernel> prove_recompiled(const Cubin& candidate, const nlohmann::json& stamp,
                                          const std::filesystem::path& cubin);

}  // namespace cubinlab
