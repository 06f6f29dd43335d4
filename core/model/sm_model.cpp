// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sm_model.h"

#include <algorithm>

#include "core/model/cycle_counter.h"
#include "core/model/occupancy.h"
#include "core/model/sub_core.h"

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

const char* to_string(WaitReason reason) {
    switch (reason) {
        case WaitReason::None:
            return "none";
        case WaitReason::Stall:
            return "stall count";
        case WaitReason::Scoreboard:
            return "scoreboard";
        case WaitReason::Unit:
            return "unit busy";
        case WaitReason::RegisterPort:
            return "register port";
        case WaitReason::MemoryQueue:
            return "memory queue";
        case WaitReason::OtherWarp:
            return "other warp";
        case WaitReason::Barrier:
            return "barrier";
    }
    return "none";
}

struct SmModel::Impl {
    KernelPtr kernel;
    SmModelSettings settings;
    std::vector<Timing> timing;  // by InstrId
    std::vector<Pass> trace;
    Residency residency;

    ModelProgram program(const Schedule& schedule) const {
        ModelProgram p;
        p.ops.resize(schedule.size());
        for (Position at = 0; at < schedule.size(); ++at) {
            const InstrId id = schedule.at(at);
            p.ops[at] = {timing[id], schedule.control(id)};
        }
        p.blocks = &kernel->flow().blocks;
        p.trace = &trace;
        p.warps = residency.warps;
        p.warps_per_block = residency.warps_per_block;
        if (kernel->arch().sm == 75) p.memory_queue = kMemoryQueueTuring;
        return p;
    }

    // Mean of `cycles(stagger)` over the start distances; one warp has none.
    template <class Cycles>
    double mean(Cycles cycles) const {
        double sum = 0;
        int runs = 0;
        for (const std::uint64_t stagger : kStaggers) {
            sum += cycles(stagger);
            ++runs;
            if (residency.warps == 1) break;
        }
        return sum / runs;
    }
};

SmModel::SmModel(KernelPtr kernel, SmModelSettings settings) : impl_(std::make_unique<Impl>()) {
    Impl& m = *impl_;
    m.kernel = std::move(kernel);
    m.settings = settings;
    m.timing.reserve(m.kernel->size());
    for (const Instruction& instruction : m.kernel->instructions())
        m.timing.push_back(timing_of(m.kernel->arch(), instruction, settings));
    m.trace = make_trace(m.kernel->flow(), settings.loop_trips);
    m.residency = residency_of(m.kernel->arch(), m.kernel->info(), settings.threads_per_block,
                               settings.dynamic_shared_bytes, settings.blocks_in_grid);
    if (settings.warps_per_subcore > 0) m.residency.warps = settings.warps_per_subcore;
    const int most =
        issued_by_a_warp(m.trace, m.kernel->flow().blocks) > kLongTrace ? kMostWarpsLongTrace : kMostWarps;
    m.residency.warps = std::clamp(m.residency.warps, 1, std::max(most, m.residency.warps_per_block));
    m.residency.warps_per_block = std::min(m.residency.warps_per_block, m.residency.warps);
}

SmModel::~SmModel() = default;

ModelRun SmModel::run(const Schedule& schedule) const {
    ModelRun detail;
    detail.issue_cycle.assign(schedule.size(), 0);
    detail.waited.assign(schedule.size(), 0);
    detail.reason.assign(schedule.size(), WaitReason::None);
    detail.block_cycles.assign(impl_->kernel->flow().blocks.size(), 0.0);
    ModelProgram program = impl_->program(schedule);
    SubCore(program).run(&detail);  // positions and reasons: warps in step
    detail.cycles = impl_->mean([&](std::uint64_t stagger) {
        program.stagger = stagger;
        return SubCore(program).run(nullptr);
    });
    return detail;
}

double SmModel::cycles(const Schedule& schedule) const {
    const ModelProgram program = impl_->program(schedule);
    CycleCounter counter(program);
    return impl_->mean([&](std::uint64_t stagger) { return counter.run(stagger); });
}

const SmModelSettings& SmModel::settings() const {
    return impl_->settings;
}
int SmModel::simulated_warps() const {
    return impl_->residency.warps;
}

}  // namespace cubinlab
