// SPDX-License-Identifier: GPL-3.0-or-later
// What a policy network looks like from outside; no LibTorch here.
#pragma once
#include <cstdint>

#include "core/search/agents/cuasmrl_settings.h"

namespace cubinlab {

struct NetworkShape {
    static constexpr std::int64_t kFewestRows = 16;  // what the three convolutions need
    NetworkKind kind = NetworkKind::Compact;
    std::int64_t rows = 0;     // of the observation: instructions, at least kFewestRows
    std::int64_t columns = 0;  // features of an instruction
    std::int64_t actions = 0;
};

}  // namespace cubinlab
