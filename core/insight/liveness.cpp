// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/liveness.h"

#include <algorithm>
#include <deque>

#include "core/legality/register_access.h"

namespace cubinlab {

namespace {

using Live = std::bitset<kRegCount>;

struct Effect {
    Live reads;
    Live writes;
    Live kills;  // unconditional writes
};

// Live at exit. R1 is the stack pointer of the ABI: live until the thread exits even if nothing reads it, as
// in nvdisasm.
constexpr RegIndex kStackPointer = 1;
Live live_out(const Block& block, const std::vector<Live>& entries) {
    Live live;
    live.set(kStackPointer);
    for (const BlockId to : block.successors)
        live |= entries[to];
    return live;
}

Effect effect_of(const Instruction& instruction) {
    Effect effect;
    for (const RegAccess& access : accesses_of(instruction)) {
        if (access.read) effect.reads.set(access.reg);
        if (!access.write) continue;
        effect.writes.set(access.reg);
        if (always_writes(instruction)) effect.kills.set(access.reg);
    }
    return effect;
}

LivePoint split(const Live& live) {
    LivePoint point;
    for (RegIndex r = 0; r < kPredBase; ++r)
        point.gpr[r] = live[r];
    for (RegIndex r = 0; r < 8; ++r) {
        point.pred[r] = live[kPredBase + r];
        point.upred[r] = live[kUPredBase + r];
    }
    for (RegIndex r = 0; r < kUniformRegisters; ++r)
        point.ugpr[r] = live[kUGprBase + r];
    return point;
}

std::uint16_t count_gpr(const Live& live) {
    std::uint16_t count = 0;
    for (RegIndex r = 0; r < kPredBase; ++r)
        count = static_cast<std::uint16_t>(count + (live[r] ? 1 : 0));
    return count;
}

std::vector<Live> block_entries(const Schedule& schedule, const std::vector<Effect>& effects) {
    const std::vector<Block>& blocks = schedule.kernel()->flow().blocks;
    std::vector<Live> entries(blocks.size());
    std::vector<bool> queued(blocks.size(), true);
    std::deque<BlockId> work;
    for (BlockId b = 0; b < blocks.size(); ++b)
        work.push_front(b);
    while (!work.empty()) {
        const BlockId b = work.front();
        work.pop_front();
        queued[b] = false;
        Live live = live_out(blocks[b], entries);
        for (Position p = blocks[b].end(); p-- > blocks[b].first;) {
            const Effect& effect = effects[schedule.at(p)];
            live = (live & ~effect.kills) | effect.reads;
        }
        if (live == entries[b]) continue;
        entries[b] = live;
        for (const BlockId from : blocks[b].predecessors) {
            if (queued[from]) continue;
            queued[from] = true;
            work.push_back(from);
        }
    }
    return entries;
}

}  // namespace

Liveness compute_liveness(const Schedule& schedule) {
    const Kernel& kernel = *schedule.kernel();
    std::vector<Effect> effects;
    effects.reserve(kernel.size());
    for (const Instruction& instruction : kernel.instructions())
        effects.push_back(effect_of(instruction));
    const std::vector<Live> entries = block_entries(schedule, effects);
    Liveness result;
    result.before.resize(schedule.size());
    result.gpr_count.resize(schedule.size());
    for (const Block& block : kernel.flow().blocks) {
        Live live = live_out(block, entries);
        for (Position p = block.end(); p-- > block.first;) {
            const Effect& effect = effects[schedule.at(p)];
            const Live after = live;
            live = (live & ~effect.kills) | effect.reads;
            result.before[p] = split(live);
            result.gpr_count[p] = count_gpr(live | after | effect.writes);
        }
    }
    for (Position p = 0; p < result.gpr_count.size(); ++p) {
        if (result.gpr_count[p] <= result.peak) continue;
        result.peak = result.gpr_count[p];
        result.peak_at = p;
    }
    return result;
}

std::vector<OccupancyStep> occupancy_steps(const Arch& arch, int threads_per_block) {
    // Per SM: 64 K registers, allocated per warp in units of 256 (8 per thread); warp limits from CUDA's
    // table.
    constexpr int kRegisters = 65536;
    const int max_warps = arch.sm == 75                                                       ? 32
                          : arch.sm == 86 || arch.sm == 87 || arch.sm == 89 || arch.sm >= 120 ? 48
                                                                                              : 64;
    const int max_blocks = arch.sm == 75 || arch.sm == 86 || arch.sm == 87 ? 16
                           : arch.sm == 89 || arch.sm >= 120               ? 24
                                                                           : 32;
    const int warps_per_block = std::max(1, (threads_per_block + 31) / 32);
    std::vector<OccupancyStep> steps;
    for (int registers = 8; registers <= 256; registers += 8) {
        // Each of the four sub-cores has a quarter of the registers and holds whole warps.
        const int by_registers = kRegisters / 4 / (registers * 32) * 4;
        const int blocks =
            std::min({by_registers / warps_per_block, max_warps / warps_per_block, max_blocks});
        const OccupancyStep step{std::min(registers, 255), blocks * warps_per_block};
        if (!steps.empty() && steps.back().warps == step.warps)
            steps.back() = step;
        else
            steps.push_back(step);
    }
    return steps;
}

}  // namespace cubinlab
