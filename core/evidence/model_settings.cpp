// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/model_settings.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "core/model/occupancy.h"

namespace cubinlab {
namespace {

// A required size is what every launch has, a largest one what most of them have. 0: neither is known.
int threads_of_cubin(const KernelInfo& info) {
    const auto& block = info.required_block ? info.required_block : info.max_threads;
    if (!block) return 0;
    const std::uint64_t threads = std::uint64_t{(*block)[0]} * (*block)[1] * (*block)[2];
    return static_cast<int>(std::min<std::uint64_t>(threads, kMostThreadsPerBlock));
}

SmModelSettings launch_settings(const Workload& workload) {
    SmModelSettings settings;
    settings.threads_per_block = static_cast<int>(workload.threads());
    settings.dynamic_shared_bytes = workload.dynamic_shared_bytes;
    settings.blocks_in_grid =
        static_cast<std::uint64_t>(workload.grid[0]) * workload.grid[1] * workload.grid[2];
    for (const Param& param : workload.params) {
        const auto* buffer = std::get_if<BufferParam>(&param);
        settings.buffer_bytes.push_back(buffer ? buffer->bytes() : 0);
    }
    return settings;
}

}  // namespace

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

SmModelSettings model_settings(const Kernel& kernel, const std::optional<Workload>& workload) {
    SmModelSettings settings;
    if (workload)
        settings = launch_settings(*workload);
    else if (const int threads = threads_of_cubin(kernel.info()); threads > 0)
        settings.threads_per_block = threads;
    settings.trips = trip_counts(kernel, launch_values(kernel, workload));
    return settings;
}

const char* threads_from(const Kernel& kernel, const std::optional<Workload>& workload) {
    return workload ? "the workload" : threads_of_cubin(kernel.info()) > 0 ? "the cubin" : "an assumption";
}

}  // namespace cubinlab
