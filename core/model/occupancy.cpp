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
        default:
            return {64, 32, 228 << 10, 132};
    }
}

Residency residency_of(const Arch& arch, const KernelInfo& info, int threads_per_block,
                       std::uint32_t dynamic_shared, std::uint64_t blocks_in_grid) {
    const SmLimits limits = sm_limits(arch.sm);
    const int warps = std::max(1, (threads_per_block + 31) / 32);
    const int register_warps = round_up(warps, kSubCores);
    const int registers = round_up(std::max(info.registers, 1), kRegisterGranule) * 32 * register_warps;
    int blocks = std::min({limits.blocks, limits.warps / warps, kRegisterFile / registers});
    const std::uint64_t shared = std::uint64_t{info.static_shared} + info.reserved_shared + dynamic_shared;
    if (shared > 0)
        blocks = static_cast<int>(std::min<std::uint64_t>(
            static_cast<std::uint64_t>(blocks), static_cast<std::uint64_t>(limits.shared_bytes) / shared));
    if (blocks_in_grid > 0) {
        const auto processors = static_cast<std::uint64_t>(limits.multiprocessors);
        blocks = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(blocks, 1)),
                                                          (blocks_in_grid + processors - 1) / processors));
    }
    blocks = std::max(blocks, 1);
    const int per_block = (warps + kSubCores - 1) / kSubCores;
    return {blocks, per_block, blocks * per_block};
}

}  // namespace cubinlab
