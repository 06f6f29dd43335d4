// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

#include "core/schedule/kernel.h"

namespace cubinlab::cli {

// Prints on standard error the findings in an original checked alone, which a comparison with it does not
// show. Returns the number of findings, for a document.
std::size_t note_self_check(const KernelPtr& original);

}  // namespace cubinlab::cli
