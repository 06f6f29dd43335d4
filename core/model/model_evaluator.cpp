// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <optional>

#include "core/model/assumed_passes.h"
#include "core/model/model_version.h"
#include "core/model/sm_model.h"

namespace cubinlab {
namespace {

class ModelEvaluator final : public Evaluator {
  public:
    ModelEvaluator(KernelPtr kernel, const SmModelSettings& settings, SettingsOfKernel settings_of)
        : kernel_(kernel), model_(std::move(kernel), settings), settings_of_(std::move(settings_of)) {
        info_.kind = EvaluatorKind::Model;
        info_.device = "SM model " + kernel_->arch().name();
        info_.unit = "modelled cycles";
        info_.original_cost = model_.cycles(Schedule(kernel_));
        ModelInfo& used = info_.model;
        used.version = kModelVersion;
        used.warps_per_subcore = static_cast<std::uint64_t>(model_.simulated_warps());
        used.threads_per_block = static_cast<std::uint64_t>(settings.threads_per_block);
        used.dynamic_shared_bytes = settings.dynamic_shared_bytes;
        used.blocks_in_grid = settings.blocks_in_grid;
        put_passes(used, *kernel_, settings);
    }

    const EvaluatorInfo& info() const override { return info_; }
    bool exact() const override { return true; }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort, std::stop_token stop) override {
        if (!modelled(reference))
            return fail(ErrorCode::BadUse, "the reference is a schedule of another kernel");
        const Hash128 hash = reference.hash();
        if (!reference_hash_ || *reference_hash_ != hash) {
            reference_cycles_ = cycles(reference);
            reference_hash_ = hash;
        }
        std::vector<Outcome> outcomes;
        outcomes.reserve(candidates.size());
        for (const Schedule& candidate : candidates) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while modelling");
            outcomes.push_back(outcome_of(candidate));
        }
        return outcomes;
    }

  private:
    bool modelled(const Schedule& schedule) const { return schedule.kernel() == kernel_ || settings_of_; }

    // A start has registers, loops and instructions of its own. The last one is kept, which a search goes on with.
    double cycles(const Schedule& schedule) {
        if (schedule.kernel() == kernel_) return model_.cycles(schedule);
        if (schedule.kernel() != other_) {
            other_ = schedule.kernel();
            other_model_.emplace(other_, settings_of_(*other_));
        }
        return other_model_->cycles(schedule);
    }

    Outcome outcome_of(const Schedule& candidate) {
        Outcome outcome;
        if (!modelled(candidate)) {
            outcome.detail = "a schedule of another kernel";
            return outcome;
        }
        outcome.kind = OutcomeKind::Ok;
        outcome.code_hash = candidate.hash();
        outcome.cost = cycles(candidate);
        outcome.speedup = Speedup::exactly(
            outcome.cost == reference_cycles_ ? 0 : std::log(reference_cycles_ / outcome.cost));
        outcome.verdict = outcome.speedup.verdict(0);
        return outcome;
    }

    KernelPtr kernel_;
    SmModel model_;
    SettingsOfKernel settings_of_;
    KernelPtr other_;
    std::optional<SmModel> other_model_;
    EvaluatorInfo info_;
    std::optional<Hash128> reference_hash_;
    double reference_cycles_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_model_evaluator(KernelPtr kernel, SmModelSettings settings,
                                                SettingsOfKernel settings_of) {
    return std::make_unique<ModelEvaluator>(std::move(kernel), settings, std::move(settings_of));
}

}  // namespace cubinlab
