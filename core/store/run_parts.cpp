// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/store/session.h"

namespace cubinlab {

std::size_t part_of(const RunInfo& run, StepId step) {
    const auto later = std::upper_bound(run.later_parts.begin(), run.later_parts.end(), step,
                                        [](StepId s, const RunPart& part) { return s < part.first; });
    return static_cast<std::size_t>(later - run.later_parts.begin());
}

const EvaluatorInfo& evaluator_of(const RunInfo& run, StepId step) {
    const std::size_t part = part_of(run, step);
    return part == 0 ? run.evaluator : run.later_parts[part - 1].evaluator;
}

}  // namespace cubinlab
