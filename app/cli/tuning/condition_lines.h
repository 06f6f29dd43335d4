// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of a comparison: clocks, temperature, power, discarded loads, energy.
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab::cli {

std::vector<std::string> condition_lines(const Comparison& comparison);

}  // namespace cubinlab::cli
