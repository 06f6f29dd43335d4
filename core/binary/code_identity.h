// SPDX-License-Identifier: GPL-3.0-or-later
// Identity of a kernel's code. The same function has the same identity in a cubin, a fatbin or a library that
// a program passes to the driver. The identity covers
//
//   architecture (sm), the code words before relocation, the relocations (offset, type, addend, symbol name
//   without the part that depends on the path of its file, stable_name.h), registers, and the kernel's own constant banks (bytes and sizes)
//
// and excludes what depends on the container: offsets, section and symbol numbers, debug information and the
// name of the kernel. A code swap in a running program matches by it alone. libcubinlab-inject.so uses it
// too, so it depends on no library.
#pragma once
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/binary/elf_image.h"

namespace cubinlab {

struct CodeLocation {
    std::string_view name;    // points into the image
    std::size_t section = 0;  // index of its code section
};
// Entry functions with code, by section. Malformed symbols are skipped.
std::vector<CodeLocation> kernels_in(const ElfImage& elf);

// True if the image has variables or constants of its module: two loads of it have one each. Tables that NVIDIA's compiler
// adds and no code writes do not count: the strings of NVVM ("_$_str") and the digits of 2/pi of libdevice.
bool has_module_data(const ElfImage& elf);

// SM number of the image; 90 for sm_90 and sm_90a, which the file may not distinguish.
int sm_of(const ElfImage& elf);

// `image`: the bytes that `elf` was read from.
Hash128 code_identity(Bytes image, const ElfImage& elf, std::size_t section);

}  // namespace cubinlab
