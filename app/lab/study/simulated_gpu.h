// SPDX-License-Identifier: GPL-3.0-or-later
// The model's figures with a GPU's noise and a GPU's prices, so that decisions under noise can be compared
// with the truth: standard errors of 0.24 % for a screening, 0.15 % for a promotion (H200, agents.md), 0.07 %
// for a confirmation, which cost 2, 25 and 80 milliseconds of virtual time; a look by the kernel's noise is one pair
// of 0.17 % for 1.3 milliseconds, checks included (measurement.md, "Length of a sample"). Verdicts as the worker gives
// them: FASTER where the interval is above 0.2 %.
//
// The model's effects of edits nearly add up, a GPU's do not: on an H200 a dozen edits of which none costs anything alone
// cost 2 to 4 % together once a schedule is some percent better than the start, single ones scatter by 0.5 to 1 %, and so
// does one schedule from load to load (bmm_mma, flash_attn; results.md). `rugged` behaves so: in the longest block each
// instruction with its stall and the two before it has a cost of its own, drawn once: none where it stands as in the
// original, else exponential with a mean of `rugged` (log) less a quarter of that; the model counts for a third, and each
// load is off by twice `rugged`. 0.0015 looks like those two.
#pragma once
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/measure/inputs.h"
#include "core/model/sm_model.h"
#include "core/search/rng.h"
#include "core/search/tune_run.h"

namespace cubinlab {

class SimulatedGpu final : public Evaluator {
  public:
    SimulatedGpu(KernelPtr kernel, std::uint64_t seed, double rugged = 0)
        : model_(make_model_evaluator(kernel, {})), rng_(seed * 7919 + 1), rugged_(rugged) {
        const auto& blocks = kernel->flow().blocks;
        hot_ = *std::ranges::max_element(blocks, {}, &Block::count);
        const auto as_compiled = neighbourhoods(Schedule(kernel));
        original_.insert(as_compiled.begin(), as_compiled.end());
        info_ = model_->info();
        info_.kind = EvaluatorKind::Gpu;
        info_.aa_spread = 0.006;
    }
    const EvaluatorInfo& info() const override { return info_; }
    double seconds() const { return seconds_; }
    // A time in which every look is too good by so much, as where an instance of the start is slow; fresh loads of a
    // confirmation are not.
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
        const double model =
            (*model_->evaluate(std::span(&schedule, 1), start, Effort::Screen, {}))[0].log_speedup;
        return model_counts() * model + ruggedness(schedule) - ruggedness(start);
    }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        const double error = effort == Effort::Screen ? 0.0024 : effort == Effort::Promote ? 0.0015 : 0.0007;
        const double price = effort == Effort::Screen ? 0.002 : effort == Effort::Promote ? 0.025 : 0.080;
        const double loads = effort == Effort::Screen ? 1 : effort == Effort::Promote ? 4 : 8;
        return measured(candidates, reference, error, loads, price, effort == Effort::Screen ? 6 : 24, stop);
    }

    // Of so many pairs, unless by the noise: 0.42 % each, and 0.12 % of each load; a load 0.6 ms (of a screening) or 1 ms.
    Result<std::vector<Outcome>> look(std::span<const Schedule> candidates, const Schedule& reference,
                                      Effort effort, const Sampling& sampling,
                                      std::stop_token stop) override {
        if (effort == Effort::Confirm) return evaluate(candidates, reference, effort, stop);
        const bool screen = effort == Effort::Screen;
        const double pairs = sampling.pairs > 0 ? sampling.pairs : screen ? 4 : 10;
        const double loads = screen ? 1 : sampling.loads > 0 ? sampling.loads : 4;
        const double error = std::hypot(0.0042 / std::sqrt(pairs), 0.0012) / std::sqrt(loads);
        const double price = loads * (screen ? 0.0006 + 0.00035 * pairs : 0.001 + 0.0005 * pairs);
        auto out = sampling.by_noise
                       ? measured(candidates, reference, std::hypot(0.0017, 0.0012) / std::sqrt(loads), loads,
                                  0.0013 * loads, static_cast<int>(loads), stop)
                       : measured(candidates, reference, error, loads, price, static_cast<int>(pairs * loads),
                                  stop);
        const bool off = out && seconds_ >= spell_.from && seconds_ < spell_.until;
        for (std::size_t i = 0; off && i < out->size(); ++i)
            for (double* figure : {&(*out)[i].log_speedup, &(*out)[i].low, &(*out)[i].high})
                *figure += spell_.by;
        return out;
    }

  private:
    struct Spell {
        double from = 0, until = 0, by = 0;
    };
    Result<std::vector<Outcome>> measured(std::span<const Schedule> candidates, const Schedule& reference,
                                          double error, double loads, double price, int pairs,
                                          std::stop_token stop) {
        auto outcomes = model_->evaluate(candidates, reference, Effort::Screen, stop);
        if (!outcomes) return outcomes;
        const double from = ruggedness(reference), off = std::hypot(error, 2 * rugged_ / std::sqrt(loads));
        for (std::size_t i = 0; i < outcomes->size(); ++i) {
            Outcome& outcome = (*outcomes)[i];
            outcome.log_speedup = model_counts() * outcome.log_speedup + ruggedness(candidates[i]) - from;
            seconds_ += price;
            double noise = -6;
            for (int k = 0; k < 12; ++k)
                noise += rng_.unit();
            outcome.log_speedup += off * noise;
            outcome.low = outcome.log_speedup - 2.3 * error;
            outcome.high = outcome.log_speedup + 2.3 * error;
            outcome.pairs = static_cast<std::uint32_t>(pairs);
            outcome.verdict = outcome.low > 0.002     ? Verdict::Faster
                              : outcome.high < -0.002 ? Verdict::Slower
                                                      : Verdict::Unclear;
        }
        return outcomes;
    }

    double model_counts() const { return rugged_ == 0 ? 1.0 : 1.0 / 3; }

    // Of each instruction of the longest block: with its stall and the two before it.
    std::vector<std::uint64_t> neighbourhoods(const Schedule& schedule) const {
        std::vector<std::uint64_t> out;
        std::uint64_t before = 0, two_before = 0;
        for (Position p = hot_.first; p < hot_.end(); ++p) {
            const InstrId id = schedule.at(p);
            const std::uint64_t here = mix64(id * 64ull + schedule.control(id).stall + 1);
            out.push_back(mix64(here ^ mix64(before ^ mix64(two_before))));
            two_before = std::exchange(before, here);
        }
        return out;
    }

    double ruggedness(const Schedule& schedule) const {
        if (rugged_ == 0) return 0;
        double sum = 0;
        for (const std::uint64_t drawn : neighbourhoods(schedule))
            if (!original_.contains(drawn))
                sum += 0.25 + std::log((static_cast<double>(drawn >> 11) + 1) * 0x1p-53);
        return rugged_ * sum;
    }

    std::unique_ptr<Evaluator> model_;
    Rng rng_;
    double rugged_;
    Block hot_;  // the longest
    std::unordered_set<std::uint64_t> original_;  // neighbourhoods
    EvaluatorInfo info_;
    double seconds_ = 0;
    Spell spell_;
};

}  // namespace cubinlab
