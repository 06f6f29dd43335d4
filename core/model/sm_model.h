// SPDX-License-Identifier: GPL-3.0-or-later
// A cycle-approximate model of one SM sub-core: in-order issue per warp, stall counts, yield, scoreboards,
// issue spacing per unit, register-file ports, memory queues, the steady state of loops. Sources: Huerta et al.
// (arXiv 2503.20481) and the spacing that ptxas encodes; see resources/docs/model.md.
// It filters candidates and explains waits. It does not replace a measurement.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/model/trip_counts.h"
#include "core/result/evaluator.h"
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
    std::vector<TripCount> trips;  // passes of loops in this launch (core/model/trip_counts.h)
    int loop_trips = 16;           // passes assumed for a loop whose count is not known
    std::vector<std::uint64_t> buffer_bytes;  // by parameter; 0: no buffer, or a captured one
};

struct ModelRun {
    double cycles = 0;                       // weighted by the passes of the loops
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

// The settings of another compilation of the kernel, which has registers and loops of its own.
using SettingsOfKernel = std::function<SmModelSettings(const Kernel&)>;

// The model as the evaluator of a run. EvaluatorInfo::model holds every setting, so that a stored figure can be recomputed.
class ModelEvaluator final : public Evaluator {
  public:
    // `settings_of` empty: schedules of other kernels are refused.
    ModelEvaluator(KernelPtr kernel, SmModelSettings settings, SettingsOfKernel settings_of = {});

    const EvaluatorInfo& info() const override { return info_; }
    bool exact() const override { return true; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override;

    // What every thread may call.
    const SmModel& model() const { return model_; }
    // Not ok: a schedule of another kernel.
    Outcome against_original(const Schedule& candidate) const {
        return outcome_of(candidate, candidate.kernel() == kernel_ ? &model_ : nullptr, info_.original_cost);
    }

  private:
    const SmModel* model_of(const KernelPtr& kernel);  // null: the kernel is refused
    // `model` null: not ok.
    static Outcome outcome_of(const Schedule& candidate, const SmModel* model, double reference_cycles);

    KernelPtr kernel_;
    SmModel model_;
    SettingsOfKernel settings_of_;
    KernelPtr other_;  // the last other kernel: a search stays with one
    std::optional<SmModel> other_model_;
    EvaluatorInfo info_;
    std::optional<Hash128> reference_hash_;  // of the last evaluate()
    double reference_cycles_ = 0;
};

std::unique_ptr<Evaluator> make_model_evaluator(KernelPtr kernel, SmModelSettings settings,
                                                SettingsOfKernel settings_of = {});

}  // namespace cubinlab
