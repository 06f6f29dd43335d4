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
    ModelEvaluator(KernelPtr kernel, const SmModelSettings& settings)
        : kernel_(kernel), model_(std::move(kernel), settings) {
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
        if (reference.kernel() != kernel_)
            return fail(ErrorCode::BadUse, "the reference is a schedule of another kernel");
        const Hash128 hash = reference.hash();
        if (!reference_hash_ || *reference_hash_ != hash) {
            reference_cycles_ = model_.cycles(reference);
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
    Outcome outcome_of(const Schedule& candidate) const {
        Outcome outcome;
        if (candidate.kernel() != kernel_) {
            outcome.detail = "a schedule of another kernel";
            return outcome;
        }
        outcome.kind = OutcomeKind::Ok;
        outcome.code_hash = candidate.hash();
        outcome.cost = model_.cycles(candidate);
        outcome.speedup = Speedup::exactly(
            outcome.cost == reference_cycles_ ? 0 : std::log(reference_cycles_ / outcome.cost));
        outcome.verdict = outcome.speedup.verdict(0);
        return outcome;
    }

    KernelPtr kernel_;
    SmModel model_;
    EvaluatorInfo info_;
    std::optional<Hash128> reference_hash_;
    double reference_cycles_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_model_evaluator(KernelPtr kernel, SmModelSettings settings) {
    return std::make_unique<ModelEvaluator>(std::move(kernel), settings);
}

}  // namespace cubinlab
