// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the PTX of a kernel from the text images of a container by their `.entry` directives.
#pragma once
#include <string>
#include <vector>

#include "core/binary/kernel_list.h"

namespace cubinlab {

struct PtxChoice {
    std::string text;    // without padding zeros
    std::string kernel;  // mangled name; empty if the query has none
    std::size_t image = 0;
};

// Mangled names after `.entry`, in text order.
std::vector<std::string> ptx_entries(std::string_view text);

// The architecture of `.target sm_80, debug`: "sm_80"; empty if there is none.
std::string ptx_target(std::string_view text);
// Of an image of PTX, without padding zeros.
Result<std::string> ptx_text(const Container& container, const Image& image);

// As choose_kernel, for PTX. Errors: NotFound, BadUse (several; the message lists them).
Result<PtxChoice> choose_ptx(const Container& container, const KernelQuery& query);

}  // namespace cubinlab
