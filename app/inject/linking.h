// SPDX-License-Identifier: GPL-3.0-or-later
// Code that the driver makes at run time: PTX that it compiles, and what its linker (cuLink*) makes of several inputs.
// The result of a link, of nvJitLink or of a compiler library reaches the driver as an image like any other; here its
// PTX is remembered, so that a list and a capture can name it.
#pragma once
#include <string>
#include <vector>

#include "app/inject/driver.h"
#include "core/base/byte_view.h"

namespace cubinlab::inject {

// As a program passes them: CUjit_option numbers and their values.
struct JitOptions {
    unsigned count = 0;
    const int* names = nullptr;
    void* const* values = nullptr;
};

struct LinkedCode {
    std::vector<std::byte> cubin;
    std::string why_not;  // empty: there is a cubin
};

// The cubin that the driver's compiler makes of a PTX text with these options, in the current context.
LinkedCode compile_ptx(const std::string& ptx, const JitOptions& options);

// The PTX inputs of the run-time link that made this cubin; empty: none is known.
std::string text_linked_into(Bytes cubin);

}  // namespace cubinlab::inject
