// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison says beside its verdict: clocks, heat, power, loads set aside, energy.
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab::cli {

std::vector<std::string> condition_lines(const Comparison& comparison);

}  // namespace cubinlab::cli
