// SPDX-License-Identifier: GPL-3.0-or-later
// First weights of a layer, from the given random numbers only: rows (or columns, whichever are fewer)
// orthonormal, times `gain` (Saxe et al., arXiv 1312.6120); biases zero.
#pragma once
#include "core/agent/torch_api.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

void initialise_layer(torch::Tensor weight, torch::Tensor bias, double gain, Rng& random);

}  // namespace cubinlab
