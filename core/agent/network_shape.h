// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of a policy network; without LibTorch.
#pragma once
#include <cstdint>

#include "core/search/agents/cuasmrl_settings.h"

namespace cubinlab {

struct NetworkShape {
    static constexpr std::int64_t kFewestRows = 16;  // required by the three convolutions
    NetworkKind kind = NetworkKind::Compact;
    std::int64_t rows = 0;     // of the observation: instructions, at least kFewestRows
    std::int64_t columns = 0;  // features of an instruction
    std::int64_t actions = 0;
};

}  // namespace cubinlab
