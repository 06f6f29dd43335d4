// SPDX-License-Identifier: GPL-3.0-or-later
// Initial weights of a layer from the given random numbers: orthonormal rows (or columns, if there are fewer)
// times `gain` (Saxe et al., arXiv 1312.6120); zero biases.
#pragma once
#include "core/agent/torch_api.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

void initialise_layer(torch::Tensor weight, torch::Tensor bias, double gain, Rng& random);

}  // namespace cubinlab
