// SPDX-License-Identifier: GPL-3.0-or-later
// A cycle-approximate model of one SM sub-core: in-order issue per warp, stall counts, yield, scoreboards,
// issue spacing per unit, register-file ports, memory queues, a loop's steady state. Sources: Huerta et al.
// (arXiv 2503.20481) and ptxas' own spacing; see resources/docs/model.md.
// It is a filter and an explanation ("which stall, where"), never a judge.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/model/trip_counts.h"
#include "core/run/evaluator.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class WaitReason : std::uint8_t {
    None,
    Stall,
    Scoreboard,
    Unit,
    RegisterPort,
    MemoryQueue,
    OtherWarp,
    Barrier
};
const char* to_string(WaitReason reason);

struct SmModelSettings {
    int warps_per_subcore = 0;         // 0: from block size, registers and shared memory (at most what fits)
    int threads_per_block = 128;       // from the workload where there is one
    std::uint64_t blocks_in_grid = 0;  // from the workload; 0: unknown, as many as fit are resident
    std::uint32_t dynamic_shared_bytes = 0;
    int loop_trips = 16;       // trips assumed for a loop whose count is not known
    int global_latency = 500;  // cycles
    int shared_latency = 29;   // cycles
};

struct IssueEvent {
    Position position = 0;
    std::uint64_t cycle = 0;   // of issue, warp 0
    std::uint32_t waited = 0;  // cycles since it could have issued at the earliest (previous issue + 1)
    WaitReason reason = WaitReason::None;
};

struct ModelRun {
    double cycles = 0;                       // weighted by assumed trips
    std::vector<std::uint32_t> issue_cycle;  // by position, inside its block's steady state
    std::vector<std::uint32_t> waited;       // by position
    std::vector<WaitReason> reason;          // by position
    std::vector<double> block_cycles;        // steady-state cycles of each block
};

class SmModel {
  public:
    SmModel(KernelPtr kernel, SmModelSettings settings);
    ~SmModel();
    ModelRun run(const Schedule& schedule) const;   // with per-position detail
    double cycles(const Schedule& schedule) const;  // the figure only: 1 ms for 1,000 instructions at most
    const SmModelSettings& settings() const;
    int simulated_warps() const;  // on one sub-core

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// `settings.threads_per_block` and shared bytes come from the workload where there is one. `known`: what the launch
// proves of the loops, said beside the passes that are assumed (core/model/assumed_passes.h).
std::unique_ptr<Evaluator> make_model_evaluator(KernelPtr kernel, SmModelSettings settings,
                                                std::span<const TripCount> known = {});

}  // namespace cubinlab
