// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/enum_names.h"
#include "core/binary/eiattr.h"
#include "core/model/occupancy.h"

namespace cubinlab {
namespace {

using Dims = std::array<std::uint32_t, 3>;

constexpr std::uint32_t kDefaultStack = 1024;              // bytes per thread
constexpr std::uint64_t kSharedWithoutRequest = 48 << 10;  // bytes of a block
constexpr std::uint64_t kSharedOfSystem = 1024;            // of each block, sm_80 and later
constexpr int kRegisterFile = 65536;                       // of an SM

std::uint64_t product(const Dims& extent) {
    return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

std::uint64_t most_shared(const Arch& arch) {
    const auto all = static_cast<std::uint64_t>(sm_limits(arch.sm).shared_bytes);
    return arch.sm >= 80 ? all - kSharedOfSystem : all;
}

bool registers_allow(const Arch& arch, const KernelInfo& kernel, int threads) {
    return occupancy_limits(arch, kernel, threads, 0, 0).by_registers >= 1;
}

int most_threads(const Arch& arch, const KernelInfo& kernel) {
    if (kernel.required_block)
        return static_cast<int>(
            std::min<std::uint64_t>(product(*kernel.required_block), kMostThreadsPerBlock));
    int threads = kMostThreadsPerBlock;
    if (kernel.max_threads)
        threads =
            static_cast<int>(std::min<std::uint64_t>(product(*kernel.max_threads), kMostThreadsPerBlock));
    constexpr int kWarp = 32;
    while (threads > kWarp && !registers_allow(arch, kernel, threads))
        threads -= kWarp;
    return threads;
}

bool same_params(const KernelInfo& a, const KernelInfo& b) {
    const auto same = [](const KernelParam& x, const KernelParam& y) {
        return x.ordinal == y.ordinal && x.offset == y.offset && x.size == y.size;
    };
    return a.param_bytes == b.param_bytes &&
           std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(), same);
}

// Attributes that say what the driver does at a launch, with their values.
std::vector<std::string> launch_attributes(const FitInput& input) {
    constexpr std::uint8_t kNeedCnpWrapper = 0x1f, kNeedCnpPatch = 0x20, kStubFunctionKind = 0x58;
    static constexpr std::array kCodes = {kNeedCnpWrapper, kNeedCnpPatch, kStubFunctionKind,
                                          eiattr::kMaxClusterRank, eiattr::kExplicitCluster};
    std::vector<std::string> out;
    for (const InfoAttribute& a : input.kernel.attributes) {
        if (std::ranges::find(kCodes, a.code) == kCodes.end()) continue;
        const Bytes payload = part_of(input.cubin.bytes(), a.payload_offset, a.payload_size);
        out.push_back(fmt::format("{}:{}:", a.code, a.value) +
                      std::string(reinterpret_cast<const char*>(payload.data()), payload.size()));
    }
    std::ranges::sort(out);
    return out;
}

bool unknown_attributes(const KernelInfo& original, const KernelInfo& candidate) {
    return std::ranges::any_of(candidate.attributes, [&](const InfoAttribute& a) {
        return std::strcmp(eiattr_name(a.code), "?") == 0 &&
               std::ranges::find(original.attributes, a.code, &InfoAttribute::code) ==
                   original.attributes.end();
    });
}

std::optional<FitProblem> shared_problem(const Arch& arch, const KernelInfo& original,
                                         const KernelInfo& candidate, const Launch& launch) {
    if (candidate.static_shared <= original.static_shared) return std::nullopt;
    if (!launch.dynamic_shared)
        return FitProblem{Misfit::SharedMemory, candidate.static_shared, original.static_shared};
    const std::uint64_t was = std::uint64_t{original.static_shared} + *launch.dynamic_shared;
    const std::uint64_t now = std::uint64_t{candidate.static_shared} + *launch.dynamic_shared;
    const std::uint64_t most = was <= kSharedWithoutRequest ? kSharedWithoutRequest : most_shared(arch);
    if (now <= most) return std::nullopt;
    return FitProblem{Misfit::SharedMemory, now, most};
}

std::optional<FitProblem> launch_problem(const Arch& arch, const KernelInfo& original,
                                         const KernelInfo& candidate, const Launch& launch) {
    const auto threads = static_cast<std::uint64_t>(launch.threads_per_block);
    if (candidate.max_threads && product(*candidate.max_threads) < threads)
        return FitProblem{Misfit::MaxThreads, product(*candidate.max_threads), threads};
    if (!registers_allow(arch, candidate, launch.threads_per_block))
        return FitProblem{Misfit::Registers, threads * static_cast<std::uint64_t>(candidate.registers),
                          kRegisterFile};
    if (auto problem = shared_problem(arch, original, candidate, launch)) return problem;
    if (!launch.cooperative) return std::nullopt;
    const auto resident = [&](const KernelInfo& kernel) {
        return occupancy_limits(arch, kernel, launch.threads_per_block, launch.dynamic_shared.value_or(0),
                                launch.blocks)
            .blocks;
    };
    const int was = resident(original), now = resident(candidate);
    if (now >= was) return std::nullopt;
    return FitProblem{Misfit::Cooperative, static_cast<std::uint64_t>(now), static_cast<std::uint64_t>(was)};
}

Launch launch_of(const Workload& workload) {
    return {static_cast<int>(workload.threads()), product(workload.grid), workload.dynamic_shared_bytes,
            workload.cooperative};
}

}  // namespace

const char* to_string(Misfit what) {
    return enum_name<Misfit::Cooperative>(
        {"architecture", "parameters", "required block", "maximum threads", "cluster", "attributes",
         "registers", "shared memory", "local memory", "cooperative launch"},
        what, "?");
}

std::string FitProblem::text() const {
    switch (what) {
        case Misfit::Registers:
            return fmt::format("registers: a block takes {}, and an SM has {}", has, allowed);
        case Misfit::SharedMemory:
            return fmt::format("shared memory: a block takes {} bytes, and the launch allows {}", has,
                               allowed);
        case Misfit::LocalMemory:
            return fmt::format("local memory: a thread takes {} bytes, and the launch provides {}", has,
                               allowed);
        case Misfit::MaxThreads:
            return fmt::format("maximum threads: a block may have {}, and the launch has {}", has, allowed);
        case Misfit::Cooperative:
            return fmt::format("cooperative launch: {} blocks fit on an SM instead of {}", has, allowed);
        default:
            return fmt::format("{}: not those of the original", to_string(what));
    }
}

std::vector<Launch> launches_of(const Arch& arch, const KernelInfo& original,
                                const std::optional<Workload>& workload) {
    if (!workload) return {{most_threads(arch, original), 0, std::nullopt, false}};
    std::vector<Launch> out = {launch_of(*workload)};
    for (const Workload& shape : workload->shapes)
        out.push_back(launch_of(shape));
    return out;
}

std::optional<FitProblem> fit_problem(const FitInput& original, const FitInput& candidate,
                                      std::span<const Launch> launches) {
    const KernelInfo &was = original.kernel, &now = candidate.kernel;
    const Arch& arch = original.cubin.arch();
    if (arch.sm != candidate.cubin.arch().sm) return FitProblem{Misfit::Architecture};
    if (!same_params(was, now)) return FitProblem{Misfit::Parameters};
    if (was.required_block != now.required_block) return FitProblem{Misfit::RequiredBlock};
    if (was.uses_clusters != now.uses_clusters || was.cluster != now.cluster)
        return FitProblem{Misfit::Cluster};
    if (launch_attributes(original) != launch_attributes(candidate) || unknown_attributes(was, now))
        return FitProblem{Misfit::Attributes};
    const std::uint32_t stack = std::max(kDefaultStack, was.local_bytes);
    if (now.local_bytes > stack) return FitProblem{Misfit::LocalMemory, now.local_bytes, stack};
    for (const Launch& launch : launches)
        if (auto problem = launch_problem(arch, was, now, launch)) return problem;
    return std::nullopt;
}

}  // namespace cubinlab
