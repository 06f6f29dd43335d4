// SPDX-License-Identifier: GPL-3.0-or-later
// The version of the SM model that computed a figure. Evaluators store it, so that a session whose figures differ between
// versions names the reason.
#pragma once
#include <cstdint>
#include <string>

#include "core/result/evaluator.h"

namespace cubinlab {

// Raise it with every change that gives any legal schedule another figure for the same settings. A test compares the
// figures of the samples (tests/core/model/model_version_test.cpp).
inline constexpr std::uint64_t kModelVersion = 1;

// 0: not stored, or a GPU.
std::uint64_t model_version_of(const EvaluatorInfo& evaluator);
// "modelled by another version of the model (2, this program has 3)"; empty: this version, no stored version, or a GPU.
std::string modelled_by_another(const EvaluatorInfo& evaluator);

}  // namespace cubinlab
