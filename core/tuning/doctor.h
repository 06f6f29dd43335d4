// SPDX-License-Identifier: GPL-3.0-or-later
// What of the outside world is there: GPU, nvdisasm, nvcc, ptxas, LibTorch. One examination for `cubinlab doctor`
// and for the window's settings, each finding with what is lost without it and how to get it.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

struct ToolFinding {
    std::string part;
    bool present = false;
    std::string found;   // what and where; absent: why not
    std::string cost;    // what is lost without it
    std::string remedy;  // how to get it
};

struct DoctorSettings {
    GpuSettings gpu;
    std::string nvdisasm;  // explicit paths; empty: looked for
    std::string nvcc;
};

// Asks a worker for the GPU (of a pool each worker, for each GPU that would be used), runs the tools for
// their versions and loads the agent module: up to some seconds, never on a GUI thread.
std::vector<ToolFinding> examine(const DoctorSettings& settings, std::stop_token stop = {});

}  // namespace cubinlab
