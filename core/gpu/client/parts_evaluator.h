// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates over parts: one for each cache state and shape, measured one after the other.
//
// The first shape, the workload itself, is for screening. Refinement and confirmation measure a candidate that
// is FASTER in it in all shapes (over_shapes). A candidate that is ok and not SLOWER in a cache state is then
// measured in the next (over_caches).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/result/cache.h"
#include "core/result/evaluator.h"

namespace cubinlab {

struct EvaluatorPart {
    std::string shape;  // its name
    Cache cache = Cache::Hot;
    std::unique_ptr<Evaluator> evaluator;
};

class PartsEvaluator final : public MeasuringEvaluator {
  public:
    // `parts`: by cache state, each with the same shapes, the workload itself first. `cache`: their mean.
    PartsEvaluator(std::vector<EvaluatorPart> parts, Cache cache, double same_within);

    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override;

  private:
    Evaluator& part(std::size_t cache, std::size_t shape) const {
        return *parts_[cache * shapes_.size() + shape].evaluator;
    }
    EvaluatorInfo info_over(Cache cache) const;
    Result<std::vector<Outcome>> measure_shapes(std::size_t cache, std::span<const Schedule> candidates,
                                                const Schedule& reference, Effort effort,
                                                const Sampling& sampling, const std::stop_token& stop);

    std::vector<EvaluatorPart> parts_;
    std::vector<Cache> caches_;
    std::vector<std::string> shapes_;
    double same_within_;
    EvaluatorInfo info_;
};

}  // namespace cubinlab
