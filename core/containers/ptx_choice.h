// SPDX-License-Identifier: GPL-3.0-or-later
// The PTX of a kernel: the text images of a container, told apart by the `.entry` lines in them.
#pragma once
#include <string>
#include <vector>

#include "core/containers/kernel_list.h"

namespace cubinlab {

struct PtxChoice {
    std::string text;    // without the zeros that pad it
    std::string kernel;  // mangled name; empty where none was wished
    std::size_t image = 0;
};

// Mangled names behind `.entry`, in the order of the text.
std::vector<std::string> ptx_entries(std::string_view text);

// As choose_kernel, of PTX. Errors: NotFound, BadUse (several: which, and how to choose).
Result<PtxChoice> choose_ptx(const Container& container, const KernelWish& wish);

}  // namespace cubinlab
