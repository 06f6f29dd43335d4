// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks find in a kernel as its file has it, compared with nothing. A reschedule is held to what its original
// does, so that a fault of the original itself stays in every result, and a comparison alone would not tell of it.
#pragma once
#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct SelfCheck {
    std::size_t count = 0;
    std::string first;  // the first one's explanation; empty: none

    // A sentence for whoever reads a result; empty: none.
    std::string text() const;
};

// Errors are those of check_kernel.
Result<SelfCheck> self_check(KernelPtr kernel);

}  // namespace cubinlab
