// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/caches_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/gpu/client/machine_info.h"
#include "core/gpu/client/shapes_evaluator.h"

namespace cubinlab {
namespace {

// Deviations are those of a mean of two; the JSON keeps the facts of both workers.
EvaluatorInfo info_over(const EvaluatorInfo& hot, const EvaluatorInfo& cold) {
    EvaluatorInfo out = hot;
    out.aa_spread = std::hypot(hot.aa_spread, cold.aa_spread) / 2;
    out.detectable = std::max(hot.detectable, cold.detectable);
    out.deterministic = hot.deterministic && cold.deterministic;
    MachineInfo machine = machine_of(hot);
    machine.cache = Cache::Both;
    machine.cold = {cold.original_cost, cold.aa_spread, machine_of(cold).calibration};
    out.json = stored(machine);
    return out;
}

class CachesEvaluator final : public MeasuringEvaluator {
  public:
    CachesEvaluator(std::unique_ptr<Evaluator> hot, std::unique_ptr<Evaluator> cold, double same_within)
        : hot_(std::move(hot)),
          cold_(std::move(cold)),
          info_(info_over(hot_->info(), cold_->info())),
          same_within_(same_within) {}

    const EvaluatorInfo& info() const override { return info_; }

    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        auto hot = hot_->measure(candidates, reference, effort, sampling, stop);
        if (!hot || hot->size() != candidates.size()) return hot;
        std::vector<Schedule> left;
        std::vector<std::size_t> of;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (!(*hot)[i].ok() || (*hot)[i].verdict == Verdict::Slower) continue;
            left.push_back(candidates[i]);
            of.push_back(i);
        }
        if (left.empty()) return hot;
        auto cold = cold_->measure(left, reference, effort, sampling, stop);
        if (!cold) return cold;
        if (cold->size() != left.size()) return std::vector<Outcome>{};  // stopped
        for (std::size_t k = 0; k < of.size(); ++k)
            (*hot)[of[k]] = over_caches((*hot)[of[k]], (*cold)[k], effort == Effort::Confirm, same_within_);
        return hot;
    }

  private:
    std::unique_ptr<Evaluator> hot_, cold_;
    EvaluatorInfo info_;
    double same_within_;
};

}  // namespace

Outcome over_caches(const Outcome& hot, const Outcome& cold, bool claim, double same_within) {
    if (!hot.ok()) return hot;
    Outcome out = hot;
    if (!cold.ok()) {
        out = cold;
        out.detail = "cold: " + cold.detail;
        out.verdict = Verdict::Unclear;
        return out;
    }
    std::string figures =
        fmt::format("mean of caches: hot {}, cold {}", percent_text(hot.speedup), percent_text(cold.speedup));
    out.speedup.log = (hot.speedup.log + cold.speedup.log) / 2;
    out.speedup.low = (hot.speedup.low + cold.speedup.low) / 2;
    out.speedup.high = (hot.speedup.high + cold.speedup.high) / 2;
    out.verdict = out.speedup.verdict(same_within);
    out.slower_shapes = std::max(hot.slower_shapes, cold.slower_shapes);
    const Outcome& worse = hot.speedup.log < cold.speedup.log ? hot : cold;
    const char* which = to_string(&worse == &hot ? Cache::Hot : Cache::Cold);
    if (worse.verdict == Verdict::Slower) {
        out.speedup = worse.speedup;
        out.verdict = Verdict::Slower;
        figures += fmt::format("; slower {}, which is what counts", which);
    } else if (claim && out.verdict == Verdict::Faster && worse.speedup.log < -same_within) {
        out.verdict = Verdict::Unclear;
        figures += fmt::format("; it may lose {}, so not FASTER", which);
    } else if (claim && out.verdict == Verdict::Faster &&
               (slower_in_a_shape(hot) || slower_in_a_shape(cold))) {
        out.verdict = Verdict::Unclear;
        figures += "; SLOWER in a shape, so not FASTER";
    }
    if (is_over_shapes(cold)) figures += "; cold, " + cold.detail;
    out.detail += (out.detail.empty() ? "" : "; ") + figures;
    return out;
}

std::unique_ptr<Evaluator> over_caches(std::unique_ptr<Evaluator> hot, std::unique_ptr<Evaluator> cold,
                                       double same_within) {
    return std::make_unique<CachesEvaluator>(std::move(hot), std::move(cold), same_within);
}

Result<std::unique_ptr<Evaluator>> make_caches_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop) {
    settings.alpha_shared_by *= 2;
    std::vector<std::unique_ptr<Evaluator>> made;
    for (const Cache cache : {Cache::Hot, Cache::Cold}) {
        settings.cache = cache;
        auto one = TRY(make_gpu_evaluator(kernel, workload, settings, stop));
        made.push_back(std::move(one));
    }
    return over_caches(std::move(made[0]), std::move(made[1]), settings.same_within);
}

}  // namespace cubinlab
