// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/explain_settings.h"

#include <algorithm>

#include "core/tuning/evaluator_choice.h"

namespace cubinlab {

LaunchValues launch_values(const Kernel& kernel, const std::optional<Workload>& workload) {
    LaunchValues out;
    const auto& info = kernel.info();
    if (workload) {
        out.block = workload->block;
        out.grid = workload->grid;
    } else if (info.required_block) {
        out.block = {(*info.required_block)[0], (*info.required_block)[1], (*info.required_block)[2]};
    }
    // Up to sm_90 the bank begins with the dimensions of block and grid.
    if (kernel.arch().sm <= 90)
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
            if (out.block[axis] != 0) out.set_word(4 * axis, out.block[axis]);
            if (out.grid[axis] != 0) out.set_word(12 + 4 * axis, out.grid[axis]);
        }
    if (!workload) return out;
    for (std::size_t i = 0; i < workload->params.size() && i < info.params.size(); ++i) {
        const std::uint32_t at = info.param_base + info.params[i].offset;
        if (const auto* scalar = std::get_if<ScalarParam>(&workload->params[i]))
            out.set(at, scalar->bytes);
        else if (const auto* raw = std::get_if<RawParam>(&workload->params[i]))
            out.set(at, raw->bytes);
    }
    return out;
}

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload) {
    ExplainSettings out;
    out.model = model_settings(kernel, workload);
    out.threads_from = threads_from(kernel, workload);
    return out;
}

}  // namespace cubinlab
