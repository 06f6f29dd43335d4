// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ensemble.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/model_setup.h"
#include "core/model/sub_core.h"
#include "core/model/timing.h"

namespace cubinlab {
namespace {

// Cycles between the starts of warps, one for each member.
constexpr std::array<std::uint64_t, 8> kStarts = {0, 80, 320, 20, 160, 40, 240, 10};

// A loop is warm after one pass; two are counted, an odd and an even one.
constexpr int kWarm = 1, kSteady = 2;

ModelParameters of_member(const ModelParameters& parameters, int index, int members) {
    ModelParameters out = parameters;
    std::size_t number = 0;
    visit_parameters(out, [&](const ParameterRange& range, double& value) {
        if (range.uncertain) value *= member_factor(index, members, number++, parameters.spread);
    });
    return out;
}

struct Member {
    std::vector<Timing> timing;  // by InstrId
    std::uint64_t start = 0;
    int barrier = 0, branch = 0;
};

}  // namespace

double member_factor(int index, int members, std::size_t parameter, double spread) {
    if (members <= 1) return 1;
    // Odd steps reach every part of a power of two, and the shift makes no two parameters agree at the first member.
    const int step = static_cast<int>(2 * (parameter % 4) + 1);
    const int part = (index * step + static_cast<int>(parameter)) % members;
    return 1 + spread * ((2.0 * part + 1) / members - 1);
}

struct ModelEnsemble::Impl {
    ModelSetup setup;
    std::vector<Pass> trace;
    std::vector<Member> members;
    double alone;
    ModelProgram program;
    std::unique_ptr<SubCore> core;

    Impl(KernelPtr kernel, const SmModelSettings& settings, const ModelParameters& parameters,
         const std::vector<int>& trips_of, int count)
        : setup(std::move(kernel), settings),
          trace(make_trace(setup.kernel->flow(), TraceShape{settings.loop_trips, kWarm, kSteady, trips_of})),
          alone(setup.simulated.warps == 1 ? 0 : parameters.alone),
          program(setup.program(Schedule(setup.kernel), &trace)) {
        const Kernel& of = *setup.kernel;
        program.memory_queue = static_cast<int>(std::lround(parameters.queue));
        program.shared_burst = static_cast<int>(std::lround(parameters.pipe_burst));
        program.far_burst = static_cast<int>(std::lround(parameters.far_burst));
        program.oldest = parameters.oldest >= 0.5;
        for (int i = 0; i < std::clamp(count, 1, kMembers); ++i) {
            ModelParameters own = of_member(parameters, i, std::clamp(count, 1, kMembers));
            if (own.pipe_byte > 0) {
                own.pipe_byte *= busy_share();
            } else {
                own.request *= busy_share();
                own.shared_byte *= busy_share();
            }
            own.global_byte *= busy_share();
            Member member;
            member.start = setup.simulated.warps == 1 ? 0 : kStarts[static_cast<std::size_t>(i)];
            member.barrier = static_cast<int>(std::lround(own.barrier));
            member.branch = static_cast<int>(std::lround(own.branch));
            member.timing.reserve(of.size());
            for (const Instruction& instruction : of.instructions())
                member.timing.push_back(timing_of(of.arch(), instruction, own));
            members.push_back(std::move(member));
        }
        core = std::make_unique<SubCore>(program);
    }

    // Of the SM's four sub-cores, those that have a warp.
    double busy_share() const {
        const SmModelSettings& s = setup.settings;
        const int warps = (s.threads_per_block + 31) / 32 * std::max(setup.resident.blocks_per_sm, 1);
        return std::min(warps, 4) / 4.0;
    }

    // Log of the cycles of a warp.
    double run(const Schedule& schedule, const Member& member) {
        for (Position at = 0; at < schedule.size(); ++at) {
            const InstrId id = schedule.at(at);
            program.ops[at] = {member.timing[id], schedule.control(id)};
        }
        program.barrier_latency = member.barrier;
        program.branch = member.branch;
        core->assign(program);
        double out = 0;
        if (alone < 1)
            out += (1 - alone) *
                   log_cycles(setup.simulated.warps, setup.simulated.warps_per_block, member.start);
        if (alone > 0) out += alone * log_cycles(1, 1, 0);
        return out;
    }

    double log_cycles(int warps, int warps_per_block, std::uint64_t start) {
        program.warps = warps;
        program.warps_per_block = warps_per_block;
        return std::log(std::max(core->run(start), 1.0));
    }
};

ModelEnsemble::ModelEnsemble(KernelPtr kernel, const SmModelSettings& settings,
                             const ModelParameters& parameters, const std::vector<int>& trips_of, int members)
    : impl_(std::make_unique<Impl>(std::move(kernel), settings, parameters, trips_of, members)) {}
ModelEnsemble::~ModelEnsemble() = default;
ModelEnsemble::ModelEnsemble(ModelEnsemble&&) noexcept = default;
ModelEnsemble& ModelEnsemble::operator=(ModelEnsemble&&) noexcept = default;

double ModelEnsemble::cycles(const Schedule& schedule) {
    double sum = 0;
    for (const Member& member : impl_->members)
        sum += impl_->run(schedule, member);
    return std::exp(sum / static_cast<double>(impl_->members.size()));
}

}  // namespace cubinlab
