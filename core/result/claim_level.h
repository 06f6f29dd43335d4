// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace cubinlab {

// How well measured a claim is.
enum class ClaimLevel : std::uint8_t {
    Unmeasured,  // it has no figure
    Modelled,    // cycles of the SM model
    Screened,    // on a GPU, with data that helped to choose the schedule
    Measured,    // on a GPU, confirmed over fresh loads
};

}  // namespace cubinlab
