// SPDX-License-Identifier: GPL-3.0-or-later
// Which version of the SM model made a figure. Evaluators keep it with their other facts, so that a session whose figures
// another version gives otherwise says why.
#pragma once
#include <cstdint>
#include <string>

#include "core/run/evaluator.h"

namespace cubinlab {

// One more with every change after which the model gives any legal schedule another figure; a test holds the figures of the
// samples against it (tests/core/model/model_version_test.cpp).
inline constexpr std::uint64_t kModelVersion = 1;
inline constexpr const char* kModelVersionKey = "model_version";

// 0: a version that did not say, or a GPU.
std::uint64_t model_version_of(const EvaluatorInfo& evaluator);
// "modelled by another version of the model (2, this program has 3)"; empty: by this one, by one that did not say, or by a GPU.
std::string modelled_by_another(const EvaluatorInfo& evaluator);

}  // namespace cubinlab
