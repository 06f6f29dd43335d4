// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/occupancy.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr int kSubCores = 4;
constexpr int kRegisterFile = 65536;  // 32-bit registers of an SM
constexpr int kRegisterGranule = 8;   // registers per thread are allocated in eights

int round_up(int value, int step) {
    return (value + step - 1) / step * step;
}

}  // namespace

SmLimits sm_limits(int sm) {
    switch (sm) {
        case 75:
            return {32, 16, 64 << 10, 40};
        case 80:
            return {64, 32, 164 << 10, 108};
        case 86:
            return {48, 16, 100 << 10, 84};
        case 87:
            return {48, 16, 164 << 10, 16};
        case 89:
            return {48, 24, 100 << 10, 128};
        case 100:
            return {64, 32, 228 << 10, 148};
        case 103:
            return {64, 32, 228 << 10, 160};
        case 120:
            return {48, 24, 100 << 10, 170};
        default:
            return {64, 32, 228 << 10, 132};
    }
}

OccupancyLimits occupancy_limits(const Arch& arch, const KernelInfo& info, int threads_per_block,
                                 std::uint32_t dynamic_shared, std::uint64_t blocks_in_grid) {
    const SmLimits limits = sm_limits(arch.sm);
    OccupancyLimits out;
    out.warps_per_block = std::max(1, (threads_per_block + 31) / 32);
    out.most_warps = limits.warps;
    const int register_warps = round_up(out.warps_per_block, kSubCores);
    const int registers = round_up(std::max(info.registers, 1), kRegisterGranule) * 32 * register_warps;
    out.by_registers = kRegisterFile / registers;
    out.by_warps = limits.warps / out.warps_per_block;
    out.by_blocks = limits.blocks;
    out.blocks = limits.blocks;
    out.tightest = "blocks";
    const auto bound = [&](int blocks, const char* name) {
        if (blocks >= out.blocks) return;
        out.blocks = blocks;
        out.tightest = name;
    };
    bound(out.by_warps, "warps");
    bound(out.by_registers, "registers");
    const std::uint64_t shared = std::uint64_t{info.static_shared} + info.reserved_shared + dynamic_shared;
    if (shared > 0) {
        out.by_shared = static_cast<int>(
            std::min<std::uint64_t>(1u << 20, static_cast<std::uint64_t>(limits.shared_bytes) / shared));
        bound(out.by_shared, "shared memory");
    }
    out.blocks = std::max(out.blocks, 1);
    if (blocks_in_grid > 0) {
        const auto processors = static_cast<std::uint64_t>(limits.multiprocessors);
        out.by_grid = static_cast<int>(
            std::min<std::uint64_t>(1u << 20, (blocks_in_grid + processors - 1) / processors));
        bound(out.by_grid, "the grid");
    }
    out.blocks = std::max(out.blocks, 1);
    out.warps = out.blocks * out.warps_per_block;
    return out;
}

Residency residency_of(const Arch& arch, const KernelInfo& info, int threads_per_block,
                       std::uint32_t dynamic_shared, std::uint64_t blocks_in_grid) {
    const OccupancyLimits limits =
        occupancy_limits(arch, info, threads_per_block, dynamic_shared, blocks_in_grid);
    const int per_block = (limits.warps_per_block + kSubCores - 1) / kSubCores;
    return {per_block, limits.blocks * per_block};
}

}  // namespace cubinlab
