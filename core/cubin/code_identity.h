// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel's code is, wherever it stands: the same function in a cubin, a fatbin or a library that a program
// hands to the driver has the same identity, whatever lies around it. It covers
//
//   architecture (sm), the code words before relocation, the relocations (place, type, addend, symbol name),
//   registers, and the kernel's own constant banks (bytes and sizes)
//
// and leaves out what a container decides: offsets, section and symbol numbers, debug information, the kernel's
// own name. A swap in a running program goes by it and by nothing else. Shared by the command line and by
// libcubinlab-inject.so, so it needs no library at run time.
#pragma once
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/cubin/elf_image.h"

namespace cubinlab {

struct CodePlace {
    std::string_view name;    // points into the image
    std::size_t section = 0;  // index of its code section
};
// Entry functions with code, by section. What is malformed is left out.
std::vector<CodePlace> kernels_in(const ElfImage& elf);

// sm of the image: 90 for sm_90 and sm_90a alike, which the file alone need not tell apart.
int sm_of(const ElfImage& elf);

// `image`: the bytes that `elf` was read from.
Hash128 code_identity(Bytes image, const ElfImage& elf, std::size_t section);

}  // namespace cubinlab
