// SPDX-License-Identifier: GPL-3.0-or-later
// A launch that was captured in a running program ("captured" in the workload file): memory at its original
// addresses instead of buffers. Separate from Workload, because only code that copies or maps this memory needs it.
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
    std::vector<std::vector<std::byte>> params;  // empty: those of the workload
};

struct CapturedLaunch {
    std::vector<CapturedSet> sets;  // at least one; all at the same addresses
    int carve_out = -1;             // preferred shared memory, percent; -1: the driver's choice
    Dtype dtype = Dtype::F32;       // element type of outputs, for a check with tolerance

    // Of a parsed workload; empty: its memory is buffers.
    static std::optional<CapturedLaunch> of(const Workload& workload);
    // Reads "captured" of a workload whose parameters are `params`. Errors: BadInput, with the field.
    static Result<CapturedLaunch> read(const nlohmann::json& captured, const std::vector<Param>& params);
};

// The files of a workload with their keys in a PrepareRequest: the parameter index of a buffer, or -1 - set
// for captured memory.
std::vector<std::pair<int, std::filesystem::path>> files_read_by(const Workload& workload);

}  // namespace cubinlab
