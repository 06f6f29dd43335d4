// SPDX-License-Identifier: GPL-3.0-or-later
// The input of the figure, the timeline and the explanation of a schedule: timing of each instruction, path, warps.
// Internal to core/model.
#pragma once
#include <span>
#include <vector>

#include "core/model/model_program.h"
#include "core/model/occupancy.h"
#include "core/model/sm_model.h"

namespace cubinlab {

struct ModelSetup {
    ModelSetup(KernelPtr kernel, SmModelSettings settings);

    // `path` null: `trace`.
    ModelProgram program(const Schedule& schedule, const std::vector<Pass>* path = nullptr) const;
    // Start distances between warps, in cycles, over which every figure is the mean; one warp has none.
    std::span<const std::uint64_t> staggers() const;

    KernelPtr kernel;
    SmModelSettings settings;
    std::vector<Timing> timing;  // by InstrId
    std::vector<Pass> trace;
    Residency resident;   // what fits
    Residency simulated;  // the part of it that is simulated
};

}  // namespace cubinlab
