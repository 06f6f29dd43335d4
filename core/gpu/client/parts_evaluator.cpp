// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/parts_evaluator.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/client/mean_outcome.h"

namespace cubinlab {
namespace {

class PartsEvaluator final : public MeasuringEvaluator {
  public:
    PartsEvaluator(std::vector<EvaluatorPart> parts, Cache cache, double same_within)
        : parts_(std::move(parts)), same_within_(same_within) {
        for (const EvaluatorPart& one : parts_) {
            if (caches_.empty() || caches_.back() != one.cache) caches_.push_back(one.cache);
            if (caches_.size() == 1) shapes_.push_back(one.shape);
        }
        info_ = info_over(cache);
    }

    const EvaluatorInfo& info() const override { return info_; }

    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        auto out = TRY(measure_shapes(0, candidates, reference, effort, sampling, stop));
        if (caches_.size() == 1 || out.size() != candidates.size()) return out;
        std::vector<std::vector<Outcome>> each;  // by candidate, then by cache state
        for (Outcome& outcome : out)
            each.push_back({std::move(outcome)});
        for (std::size_t cache = 1; cache < caches_.size(); ++cache) {
            std::vector<Schedule> left;
            std::vector<std::size_t> of;
            for (std::size_t i = 0; i < each.size(); ++i) {
                if (!each[i].back().ok() || each[i].back().verdict == Verdict::Slower) continue;
                left.push_back(candidates[i]);
                of.push_back(i);
            }
            if (left.empty()) break;
            auto more = TRY(measure_shapes(cache, left, reference, effort, sampling, stop));
            if (more.size() != left.size()) return std::vector<Outcome>{};  // stopped
            for (std::size_t k = 0; k < of.size(); ++k)
                each[of[k]].push_back(std::move(more[k]));
        }
        for (std::size_t i = 0; i < each.size(); ++i)
            out[i] = over_caches(each[i], caches_, effort == Effort::Confirm, same_within_);
        return out;
    }

  private:
    Evaluator& part(std::size_t cache, std::size_t shape) const {
        return *parts_[cache * shapes_.size() + shape].evaluator;
    }

    // Deviations are those of a mean; MachineInfo keeps the facts of the first worker and of the cold one.
    EvaluatorInfo info_over(Cache cache) const {
        EvaluatorInfo out = part(0, 0).info();
        if (caches_.size() == 1) return out;
        out.gpu.cache = cache;
        double squares = 0;
        for (std::size_t k = 0; k < caches_.size(); ++k) {
            const EvaluatorInfo& one = part(k, 0).info();
            squares += one.aa_spread * one.aa_spread;
            out.detectable = std::max(out.detectable, one.detectable);
            out.deterministic = out.deterministic && one.deterministic;
            if (caches_[k] == Cache::Cold)
                out.gpu.cold = {one.original_cost, one.aa_spread, one.gpu.calibration};
        }
        out.aa_spread = std::sqrt(squares) / static_cast<double>(caches_.size());
        return out;
    }

    Result<std::vector<Outcome>> measure_shapes(std::size_t cache, std::span<const Schedule> candidates,
                                                const Schedule& reference, Effort effort,
                                                const Sampling& sampling, const std::stop_token& stop) {
        auto first = part(cache, 0).measure(candidates, reference, effort, sampling, stop);
        if (!first || effort == Effort::Screen || shapes_.size() == 1) return first;
        for (std::size_t i = 0; i < first->size(); ++i) {
            Outcome& outcome = (*first)[i];
            if (!outcome.ok() || outcome.verdict != Verdict::Faster) continue;
            std::vector<Outcome> all{outcome};
            for (std::size_t k = 1; k < shapes_.size() && all.back().ok(); ++k) {
                auto other =
                    TRY(part(cache, k).measure(candidates.subspan(i, 1), reference, effort, sampling, stop));
                if (other.size() != 1) return fail(ErrorCode::Worker, "a shape gave no outcome", shapes_[k]);
                all.push_back(std::move(other.front()));
            }
            outcome = over_shapes(all, shapes_, same_within_);
        }
        return first;
    }

    std::vector<EvaluatorPart> parts_;
    std::vector<Cache> caches_;
    std::vector<std::string> shapes_;
    double same_within_;
    EvaluatorInfo info_;
};

}  // namespace

std::unique_ptr<Evaluator> over_parts(std::vector<EvaluatorPart> parts, Cache cache, double same_within) {
    if (parts.size() == 1) return std::move(parts.front().evaluator);
    return std::make_unique<PartsEvaluator>(std::move(parts), cache, same_within);
}

}  // namespace cubinlab
