// SPDX-License-Identifier: GPL-3.0-or-later
// From what libcubinlab-inject.so left of a captured launch (app/inject/capturing.h) to a cubin and a workload like any
// other: NAME.cubin, NAME.workload.json, NAME.memory (and NAME.2.memory ... for further input sets).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

struct CaptureOptions {
    std::optional<CheckTolerance> tolerance;
    Dtype dtype = Dtype::F32;  // of outputs, with a tolerance
};

struct CapturedKernel {
    std::filesystem::path cubin;
    std::filesystem::path ptx;  // next to it: the text that the driver compiled, or that of a Triton cache; empty: none
    std::string kernel;
    std::uint64_t launch = 0;  // of this kernel in the program, from 1
    std::size_t sets = 0;
    std::size_t shapes = 1;  // sizes
    std::uint64_t regions = 0, bytes = 0, changed_bytes = 0;  // of the first set; changed: by pages
    // Why it cannot be replayed, or not faithfully: "memory of another GPU", "textures", "printf".
    std::vector<std::string> left_out;
    bool replayable = true;
};

// All *.capture folders of `raw`. Launches of one kernel of the same size and at the same addresses become the sets of
// one workload, those of other sizes its shapes. Errors: Io, BadInput.
Result<std::vector<CapturedKernel>> make_workloads(const std::filesystem::path& raw,
                                                   const std::filesystem::path& out,
                                                   const CaptureOptions& options);

// What a kernel does that a replay cannot give it: printf, device heap, dynamic parallelism, textures.
std::vector<std::string> not_replayable(const Cubin& cubin, const KernelInfo& kernel);

}  // namespace cubinlab
