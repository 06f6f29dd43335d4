// SPDX-License-Identifier: GPL-3.0-or-later
// `measure SESSION`: compares a logged step with its original.
#pragma once
#include <cstdint>
#include <string>

#include "app/cli/base/common_options.h"
#include "core/base/result.h"

namespace cubinlab::cli {

struct MeasureOptions : Common {
    std::string a, b, workload;
    GpuOptions gpu;
    int loads = 12;
    std::uint64_t seed = 1;
    unsigned candidates_tried = 1;  // B is the best of so many: they share the error probability
    bool no_energy = false;
    bool allow_files = false;  // a session's workload may read files that are not next to it
    // If A is a session: the step to compare with the original.
    std::int64_t run = 0;
    std::string step = "best";
};

Result<int> run_measure_step(const MeasureOptions& options);

}  // namespace cubinlab::cli
