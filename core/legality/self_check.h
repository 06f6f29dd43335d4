// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a kernel without comparing it to an original. A comparison only shows that a schedule is as good as
// its original, so faults of the original remain in every result.
#pragma once
#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct SelfCheck {
    std::size_t count = 0;
    std::string first;  // explanation of the first finding; empty: none

    // A sentence for reports; empty: none.
    std::string text() const;
};

// Errors are those of check_kernel.
Result<SelfCheck> self_check(KernelPtr kernel);

}  // namespace cubinlab
