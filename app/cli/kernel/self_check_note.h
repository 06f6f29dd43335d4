// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

#include "core/schedule/kernel.h"

namespace cubinlab::cli {

// Says on standard error what the checks find in an original by itself, which no comparison with it would tell.
// Returns how many findings there are, for a document.
std::size_t note_self_check(const KernelPtr& original);

}  // namespace cubinlab::cli
