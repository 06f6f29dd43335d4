// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules that may be used in this process, by the identity of the code that they replace
// (core/binary/code_swap.h), read once from the folder that CUBINLAB_SCHEDULES names.
#pragma once
#include <string>
#include <vector>

#include "core/binary/code_swap.h"

namespace cubinlab::inject {

// Files that could not be read are told in the result.
const std::vector<CodeSwap>& schedules();

struct Swapped {
    std::vector<std::byte> image;      // empty: nothing of it is replaced
    std::vector<std::string> kernels;  // names of those that are
};
// A copy of `elf` with every kernel that has a schedule replaced.
Swapped swap_in(Bytes elf);
// True if the image has variables or constants of its own: two loads share them only where it is seen to
// (app/inject/sharing.h).
bool has_module_data(Bytes elf);

}  // namespace cubinlab::inject
