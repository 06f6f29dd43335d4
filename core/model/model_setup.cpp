// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_setup.h"

#include <algorithm>

namespace cubinlab {
namespace {

// More warps than this add time, not information: the issue port and the pipes are saturated long before. A
// long trace gets fewer, to keep one evaluation of 1,000 instructions within a millisecond.
constexpr int kMostWarps = 4;
constexpr int kMostWarpsLongTrace = 2;
constexpr std::size_t kLongTrace = 1500;  // instructions issued by one warp

// Warps do not run in step on the hardware, and a schedule should not win by one lucky phase: the figure is
// the mean over these start distances, in cycles. The spread over phases is of the size of the effects that
// are looked for.
constexpr std::uint64_t kStaggers[] = {0, 80, 320};

std::size_t issued_by_a_warp(const std::vector<Pass>& trace, const std::vector<Block>& blocks) {
    std::size_t sum = 0;
    for (const Pass& pass : trace)
        sum += blocks[pass.block].count;
    return sum;
}

}  // namespace

ModelSetup::ModelSetup(KernelPtr of, SmModelSettings with)
    : kernel(std::move(of)), settings(std::move(with)) {
    timing.reserve(kernel->size());
    for (const Instruction& instruction : kernel->instructions())
        timing.push_back(timing_of(kernel->arch(), instruction));
    trace = make_trace(kernel->flow(), settings.loop_trips, trips_by_header(*kernel, settings.trips));
    resident = residency_of(kernel->arch(), kernel->info(), settings.threads_per_block,
                            settings.dynamic_shared_bytes, settings.blocks_in_grid);
    simulated = resident;
    if (settings.warps_per_subcore > 0) simulated.warps = settings.warps_per_subcore;
    const int most =
        issued_by_a_warp(trace, kernel->flow().blocks) > kLongTrace ? kMostWarpsLongTrace : kMostWarps;
    simulated.warps = std::clamp(simulated.warps, 1, std::max(most, simulated.warps_per_block));
    simulated.warps_per_block = std::min(simulated.warps_per_block, simulated.warps);
}

ModelProgram ModelSetup::program(const Schedule& schedule, const std::vector<Pass>* path) const {
    ModelProgram p;
    p.ops.resize(schedule.size());
    for (Position at = 0; at < schedule.size(); ++at) {
        const InstrId id = schedule.at(at);
        p.ops[at] = {timing[id], schedule.control(id)};
    }
    p.blocks = &kernel->flow().blocks;
    p.trace = path ? path : &trace;
    p.warps = simulated.warps;
    p.warps_per_block = simulated.warps_per_block;
    if (kernel->arch().sm == 75) p.memory_queue = kMemoryQueueTuring;
    return p;
}

std::span<const std::uint64_t> ModelSetup::staggers() const {
    return std::span(kStaggers).first(simulated.warps == 1 ? 1 : std::size(kStaggers));
}

}  // namespace cubinlab
