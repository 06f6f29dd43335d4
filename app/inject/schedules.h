// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules that this process may use, by the hash of the code that they replace
// (core/binary/code_swap.h), read once from the folder CUBINLAB_SCHEDULES.
#pragma once
#include <string>
#include <vector>

#include "core/binary/code_swap.h"

namespace cubinlab::inject {

// The result notes files that could not be read.
const std::vector<CodeSwap>& schedules();

struct Recompiled {
    std::string kernel;             // its name in the image
    const CodeSwap* by = nullptr;  // one of schedules(), with a cubin
};
struct Swapped {
    std::vector<std::byte> image;      // empty: no kernel of it is replaced by another order of its words
    std::vector<std::string> kernels;  // names of these kernels
    std::vector<Recompiled> instead;   // kernels that are launched from another cubin
};
// A copy of `elf` in which every kernel that has a schedule is replaced.
Swapped swap_in(Bytes elf);
// True if the image has its own variables or constants: two loads share them only with app/inject/sharing.h.
bool has_module_data(Bytes elf);

}  // namespace cubinlab::inject
