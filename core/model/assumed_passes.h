// SPDX-License-Identifier: GPL-3.0-or-later
// A figure of the model weighs every loop with the same number of passes, whatever the launch makes of it. Evaluator and
// session keep that number, the loops that there are and what the launch proves of them; whoever shows the figure shows
// these words beside it.
//
//   assumed_passes(evaluator)   // "16 passes of each loop assumed; by its code and launch 0 at 0x01f0"
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/model/trip_counts.h"
#include "core/run/evaluator.h"

namespace cubinlab {

// For EvaluatorInfo::json: how many loops there are, and those of `known` that make another number of passes.
void put_passes(nlohmann::json& json, const Kernel& kernel, int assumed, std::span<const TripCount> known);

// Empty: a GPU, a kernel without a loop, or what a version before this one stored.
std::string assumed_passes(const EvaluatorInfo& evaluator);
// The same words where no evaluator is at hand. Empty: there is no loop.
std::string assumed_passes(const Kernel& kernel, int assumed, std::span<const TripCount> known);

}  // namespace cubinlab
