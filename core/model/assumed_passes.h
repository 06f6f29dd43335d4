// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of loops that a figure of the model assumes: those that follow from the code and the launch, and one number for
// all other loops. Evaluator and session keep them; whoever shows the figure shows this text next to it.
//
//   assumed_passes(evaluator)   // "assuming 16 iterations of each loop"
//                               // "loop iterations by code and launch: 32 at 0x01f0; 16 assumed of each other loop"
#pragma once
#include <string>
#include <vector>

#include "core/model/sm_model.h"
#include "core/result/evaluator.h"

namespace cubinlab {

// How many loops there are, the passes that are known and the number that is assumed for the others.
void put_passes(ModelInfo& info, const Kernel& kernel, const SmModelSettings& settings);
// The known passes as put_passes() wrote them. What is not the header of a loop of the kernel is skipped.
std::vector<TripCount> stored_passes(const ModelInfo& info, const Kernel& kernel);

// Empty: a GPU, or a kernel without a loop.
std::string assumed_passes(const EvaluatorInfo& evaluator);
// The same text where there is no evaluator. Empty: there is no loop.
std::string assumed_passes(const Kernel& kernel, const SmModelSettings& settings);

}  // namespace cubinlab
