// SPDX-License-Identifier: GPL-3.0-or-later
// What a workload says of a launch that was captured in a running program ("captured" in its file): memory at its own
// addresses instead of buffers. Apart from Workload, since only those ask who move or map that memory.
#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

struct CapturedSet {
    std::filesystem::path memory;                // core/gpu/protocol/captured_memory.h
    std::vector<std::vector<std::byte>> params;  // where they differ from the workload's; empty: they do not
};

struct CapturedLaunch {
    std::vector<CapturedSet> sets;  // at least one; all at the same addresses
    int carve_out = -1;             // preferred shared memory, percent; -1: the driver's choice
    Dtype dtype = Dtype::F32;       // how outputs are read where a tolerance is given

    // Of a workload that was parsed; empty: its memory is buffers.
    static std::optional<CapturedLaunch> of(const Workload& workload);
    // Of a workload's document whose parameters are `params`. Errors: BadInput, with the field.
    static Result<CapturedLaunch> read(const nlohmann::json& captured, const std::vector<Param>& params);
};

// Files that a workload reads, by the number they have in a PrepareRequest: that of a buffer's parameter, or -1 - set
// of captured memory.
std::vector<std::pair<int, std::filesystem::path>> files_read_by(const Workload& workload);

}  // namespace cubinlab
