// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/loop_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/number_of.h"

namespace cubinlab {
namespace {

constexpr int kLanes = 32, kSubCores = 4;

const char* name_of(Pipe pipe) {
    switch (pipe) {
        case Pipe::Alu:
            return "ALU pipe";
        case Pipe::Fma:
            return "FMA pipe";
        case Pipe::Fp16:
            return "half pipe";
        case Pipe::Fp64:
            return "FP64 pipe";
        case Pipe::Mma:
            return "tensor pipe";
        case Pipe::Xu:
            return "XU pipe (MUFU, conversions)";
        case Pipe::Ldc:
            return "constant loads";
        case Pipe::Uniform:
            return "uniform datapath";
        case Pipe::UniformFast:  // one a cycle: the issue port is as narrow
        case Pipe::None:
        case Pipe::Memory:
            break;
    }
    return "";
}

}  // namespace

// At boost clock: H100 SXM 3,350 GB/s, A100 40 GB 1,555 GB/s, RTX 3090 936 GB/s, RTX 4090 1,008 GB/s,
// RTX 2080 Ti 616 GB/s; L2 sizes of NVIDIA's white papers of these GPUs.
MemoryRates memory_rates(int sm) {
    constexpr double kMiB = 1 << 20;
    switch (sm) {
        case 75:
            return {616.0 / 68 / 1.545, 5.5 * kMiB, 68, "RTX 2080 Ti"};
        case 80:
            return {1555.0 / 108 / 1.41, 40 * kMiB, 108, "A100 40 GB"};
        case 86:
            return {936.0 / 82 / 1.695, 6 * kMiB, 82, "RTX 3090"};
        case 89:
            return {1008.0 / 128 / 2.52, 72 * kMiB, 128, "RTX 4090"};
        case 90:
            return {3350.0 / 132 / 1.83, 50 * kMiB, 132, "H100 SXM"};
        default:
            return {};
    }
}

std::vector<ResourceBound> loop_bounds(const ModelSetup& setup, const std::vector<InstrId>& instrs) {
    std::array<double, kPipes> busy{};
    std::array<int, kPipes> count{};
    double groups = 0, shared = 0, global = 0, bytes = 0;
    int group_count = 0, shared_count = 0, global_count = 0;
    for (const InstrId id : instrs) {
        const Timing& t = setup.timing[id];
        const Instruction& i = setup.kernel->instruction(id);
        const auto pipe = static_cast<std::size_t>(t.pipe);
        busy[pipe] += t.occupancy;
        ++count[pipe];
        if (t.effect == Effect::TensorGroup) {
            groups += t.service;
            ++group_count;
        }
        if (t.pipe != Pipe::Memory) continue;
        const bool far = i.unit == Unit::Lsu || i.unit == Unit::Tex;
        (far ? global : shared) += t.service;
        ++(far ? global_count : shared_count);
        if (i.unit == Unit::Lsu && i.memory.space != MemorySpace::Shared &&
            i.memory.space != MemorySpace::None)
            bytes += static_cast<double>(i.memory.width) * kLanes;
    }
    const int warps = setup.simulated.warps;
    const std::string times = number_of(warps, "warp");
    std::vector<ResourceBound> out;
    const auto add = [&](const char* name, double cycles, int n) {
        if (n > 0)
            out.push_back(
                {name, cycles * warps,
                 fmt::format("{} x {}, {:.0f} cycles", times, number_of(n, "instruction"), cycles)});
    };
    add("issue slots", static_cast<double>(instrs.size()), static_cast<int>(instrs.size()));
    for (std::size_t p = 0; p < kPipes; ++p)
        if (name_of(static_cast<Pipe>(p))[0] != '\0') add(name_of(static_cast<Pipe>(p)), busy[p], count[p]);
    add("tensor core (wgmma)", groups, group_count);
    add("memory path, shared memory and shuffles", shared, shared_count);
    add("memory path, L1 and global memory", global, global_count);
    if (shared_count > 0 && global_count > 0)
        add("memory path of the SM", shared + global, shared_count + global_count);
    const double sm_bytes = bytes * warps * kSubCores;
    if (bytes > 0)
        out.push_back({"L2 to SM, if nothing hits in L1", sm_bytes / kL2Bytes,
                       fmt::format("{:.0f} bytes of an SM at {:.0f} a cycle", sm_bytes, kL2Bytes), false});
    const MemoryRates rates = memory_rates(setup.kernel->arch().sm);
    if (bytes > 0 && rates.dram_bytes > 0)
        out.push_back({"DRAM, if nothing hits in L2", sm_bytes / rates.dram_bytes,
                       fmt::format("{:.0f} bytes of an SM at {:.1f} a cycle ({})", sm_bytes, rates.dram_bytes, rates.gpu),
                       false});
    std::stable_sort(out.begin(), out.end(), [](const ResourceBound& a, const ResourceBound& b) {
        return a.certain != b.certain ? a.certain : a.cycles > b.cycles;
    });
    return out;
}

}  // namespace cubinlab
