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

// `parts`: by cache state, each with the same shapes, the workload itself first. `cache`: their mean.
std::unique_ptr<Evaluator> over_parts(std::vector<EvaluatorPart> parts, Cache cache, double same_within);

}  // namespace cubinlab
