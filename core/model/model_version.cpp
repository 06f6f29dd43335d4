// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_version.h"

#include <fmt/format.h>

namespace cubinlab {

std::uint64_t model_version_of(const EvaluatorInfo& evaluator) {
    if (evaluator.kind != EvaluatorKind::Model) return 0;
    return evaluator.model.version.value_or(0);
}

std::string modelled_by_another(const EvaluatorInfo& evaluator) {
    const std::uint64_t version = model_version_of(evaluator);
    if (version == 0 || version == kModelVersion) return {};
    return fmt::format("modelled by another version of the model ({}, this program has {})", version,
                       kModelVersion);
}

}  // namespace cubinlab
