// SPDX-License-Identifier: GPL-3.0-or-later
// The model's figures with the noise and the costs of a GPU, so that decisions under noise can be compared
// with the truth. Standard errors: 0.24 % for a screening, 0.15 % for a promotion, 0.07 % for a confirmation,
// which cost 1.3, 7 and 12 ms of virtual time. A batch screening has 0.23 % for 0.57 ms, checks included, of
// which eight candidates share the 0.14 % of their reference, which the costs show; a refinement has 0.21 %
// per load for 0.85 ms (kernels of 20 us on an H200; results.md, measurement.md). Verdicts are those of the
// worker: FASTER if the interval is above 0.2 %.
#pragma once
#include <cmath>

#include "core/model/sm_model.h"
#include "core/search/engine/tune_run.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

class SimulatedGpu final : public Evaluator {
  public:
    SimulatedGpu(KernelPtr kernel, std::uint64_t seed)
        : model_(make_model_evaluator(std::move(kernel), {})), rng_(seed * 7919 + 1) {
        info_ = model_->info();
        info_.kind = EvaluatorKind::Gpu;
        info_.aa_spread = 0.006;
    }
    const EvaluatorInfo& info() const override { return info_; }
    double seconds() const { return seconds_; }
    // A time in which every look is too good by so much, as where an instance of the start is slow; fresh
    // loads of a confirmation are not.
    void spell(double from, double until, double by) { spell_ = {from, until, by}; }
    // The run's clock.
    RunClock clock() const {
        return [this] {
            return std::chrono::steady_clock::time_point(
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(seconds_)));
        };
    }
    double truth(const Schedule& schedule, const Schedule& start) {
        return (*model_->evaluate(std::span(&schedule, 1), start, Effort::Screen, {}))[0].speedup.log;
    }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        const double error = effort == Effort::Screen ? 0.0024 : effort == Effort::Refine ? 0.0015 : 0.0007;
        const double price = effort == Effort::Screen ? 0.0013 : effort == Effort::Refine ? 0.007 : 0.012;
        return measured(candidates, reference, error, price, effort == Effort::Screen ? 6 : 24, stop);
    }

    // Of so many pairs, unless by the noise: 0.42 % each, and 0.12 % of each load; a load 0.6 ms (of a screening) or 1 ms.
    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        if (effort == Effort::Confirm) return evaluate(candidates, reference, effort, stop);
        const bool screen = effort == Effort::Screen;
        const double pairs = sampling.pairs > 0 ? sampling.pairs : screen ? 4 : 10;
        const double loads = screen ? 1 : sampling.loads > 0 ? sampling.loads : 4;
        const double error = std::hypot(0.0042 / std::sqrt(pairs), 0.0012) / std::sqrt(loads);
        const double price = loads * (screen ? 0.0006 + 0.00035 * pairs : 0.001 + 0.0005 * pairs);
        auto out = !sampling.by_noise
                       ? measured(candidates, reference, error, price, static_cast<int>(pairs * loads), stop)
                   : screen ? together(candidates, reference, stop)
                            : measured(candidates, reference, std::hypot(0.0017, 0.0012) / std::sqrt(loads),
                                       0.00085 * loads, static_cast<int>(loads), stop);
        const bool off = out && seconds_ >= spell_.from && seconds_ < spell_.until;
        for (std::size_t i = 0; off && i < out->size(); ++i)
            (*out)[i].speedup = (*out)[i].speedup + Speedup::exactly(spell_.by);
        return out;
    }

  private:
    struct Spell {
        double from = 0, until = 0, by = 0;
    };
    static constexpr std::size_t kTogether = 8;
    static constexpr double kOwnError = 0.0018, kSharedError = 0.0014;
    static constexpr double kSameWithin = 0.002;

    // Of a mean of 0 and a deviation of 1.
    double noise() {
        double out = -6;
        for (int i = 0; i < 12; ++i)
            out += rng_.unit();
        return out;
    }

    static void judge(Outcome& outcome, double log_speedup, double error) {
        outcome.speedup = {log_speedup, log_speedup - 2.3 * error, log_speedup + 2.3 * error};
        outcome.verdict = outcome.speedup.verdict(kSameWithin);
    }

    Result<std::vector<Outcome>> measured(std::span<const Schedule> candidates, const Schedule& reference,
                                          double error, double price, int pairs, std::stop_token stop) {
        auto outcomes = model_->evaluate(candidates, reference, Effort::Screen, stop);
        if (!outcomes) return outcomes;
        for (Outcome& outcome : *outcomes) {
            seconds_ += price;
            judge(outcome, outcome.speedup.log + error * noise(), error);
            outcome.pairs = static_cast<std::uint32_t>(pairs);
        }
        return outcomes;
    }

    Result<std::vector<Outcome>> together(std::span<const Schedule> candidates, const Schedule& reference,
                                          std::stop_token stop) {
        auto outcomes = model_->evaluate(candidates, reference, Effort::Screen, stop);
        if (!outcomes) return outcomes;
        double shared = 0;
        for (std::size_t i = 0; i < outcomes->size(); ++i) {
            Outcome& outcome = (*outcomes)[i];
            seconds_ += 0.00057;
            if (i % kTogether == 0) shared = kSharedError * noise();
            const double own = kOwnError * noise();
            outcome.cost *= std::exp(-own);
            judge(outcome, outcome.speedup.log + own + shared, std::hypot(kOwnError, kSharedError));
            outcome.pairs = 1;
        }
        return outcomes;
    }

    std::unique_ptr<Evaluator> model_;
    Rng rng_;
    EvaluatorInfo info_;
    double seconds_ = 0;
    Spell spell_;
};

}  // namespace cubinlab
