// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a recompiled kernel may run in the launches of the original: a program knows nothing of the exchange, so what
// the launch asks for must still be there.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/binary/cubin.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

// A launch of the original. Without a workload it is the largest that the original allows.
struct Launch {
    int threads_per_block = 0;
    std::uint64_t blocks = 0;                     // of the grid; 0: not known
    std::optional<std::uint32_t> dynamic_shared;  // bytes of a block; none: not known
    bool cooperative = false;
};
// One for each shape of the workload.
std::vector<Launch> launches_of(const Arch& arch, const KernelInfo& original,
                                const std::optional<Workload>& workload);

enum class Misfit : std::uint8_t {
    Architecture,
    Parameters,     // number, offsets, sizes
    RequiredBlock,  // REQNTID
    MaxThreads,     // fewer than the launch has
    Cluster,        // size, or whether there are clusters
    Attributes,  // what the driver does at a launch (dynamic parallelism), or an attribute that is not known
    Registers,   // a block has more registers than an SM
    SharedMemory,
    LocalMemory,
    Cooperative,  // fewer blocks on an SM: the grid of a cooperative launch must be resident
};
const char* to_string(Misfit what);  // "registers"

struct FitProblem {
    Misfit what = Misfit::Architecture;
    std::uint64_t has = 0, allowed = 0;  // numbers where there are any; else both 0
    std::string text() const;  // "registers: a block of 512 threads takes 73728, and an SM has 65536"
};

// Shared memory: a block that took at most 48 KiB must not take more, since the program may not have asked for more; any
// other must stay below the most that a block can have. Local memory: the stack that every context has by default
// (CU_LIMIT_STACK_SIZE, 1024 bytes per thread), or the frame of the original if that is larger: beyond it the driver
// allocates memory at a launch.
struct FitInput {
    const Cubin& cubin;
    const KernelInfo& kernel;
};
// The first problem; none: it fits. `launches` as launches_of() returns them.
std::optional<FitProblem> fit_problem(const FitInput& original, const FitInput& candidate,
                                      std::span<const Launch> launches);

}  // namespace cubinlab
