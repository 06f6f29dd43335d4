// SPDX-License-Identifier: GPL-3.0-or-later
// The model's figures with a GPU's noise and a GPU's prices, so that decisions under noise can be compared
// with the truth: standard errors of 0.24 % for a screening, 0.15 % for a promotion (H200, agents.md), 0.07 %
// for a confirmation, which cost 2, 25 and 80 milliseconds of virtual time. Verdicts as the worker gives
// them: FASTER where the interval is above 0.2 %.
#pragma once
#include <cmath>

#include "core/model/sm_model.h"
#include "core/search/rng.h"

namespace cubinlab::test {

class NoisyEvaluator final : public Evaluator {
  public:
    NoisyEvaluator(KernelPtr kernel, std::uint64_t seed)
        : model_(make_model_evaluator(std::move(kernel), {})), rng_(seed * 7919 + 1) {
        info_ = model_->info();
        info_.kind = EvaluatorKind::Gpu;
        info_.aa_spread = 0.006;
    }
    const EvaluatorInfo& info() const override { return info_; }
    double seconds() const { return seconds_; }
    double limit = 60;  // virtual seconds
    double truth(const Schedule& schedule, const Schedule& start) {
        return (*model_->evaluate(std::span(&schedule, 1), start, Effort::Screen, {}))[0].log_speedup;
    }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        if (seconds_ > limit) return fail(ErrorCode::Cancelled, "the virtual time is over");
        auto outcomes = model_->evaluate(candidates, reference, Effort::Screen, stop);
        if (!outcomes) return outcomes;
        const double error = effort == Effort::Screen ? 0.0024 : effort == Effort::Promote ? 0.0015 : 0.0007;
        const double price = effort == Effort::Screen ? 0.002 : effort == Effort::Promote ? 0.025 : 0.080;
        for (Outcome& outcome : *outcomes) {
            seconds_ += price;
            double noise = -6;
            for (int i = 0; i < 12; ++i)
                noise += rng_.unit();
            outcome.log_speedup += error * noise;
            outcome.low = outcome.log_speedup - 2.3 * error;
            outcome.high = outcome.log_speedup + 2.3 * error;
            outcome.pairs = effort == Effort::Screen ? 6 : 24;
            outcome.verdict = outcome.low > 0.002     ? Verdict::Faster
                              : outcome.high < -0.002 ? Verdict::Slower
                                                      : Verdict::Unclear;
        }
        return outcomes;
    }

  private:
    std::unique_ptr<Evaluator> model_;
    Rng rng_;
    EvaluatorInfo info_;
    double seconds_ = 0;
};

}  // namespace cubinlab::test
