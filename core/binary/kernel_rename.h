// SPDX-License-Identifier: GPL-3.0-or-later
// Renames a kernel inside a cubin. ptxas treats a kernel whose name contains "cutlass" differently: such code is made
// by a compilation under another name, and the kernel then gets its own name back.
//
//   auto renamed = TRY(rename_kernel(cubin.bytes(), "gemm_cutlass", "gemm"));
//
// What changes: the kernel's symbol, the names of its sections (.text.K, .nv.info.K, .nv.constantN.K, .nv.shared.K,
// .nv.local.K, their .rel and .rela, .nv.capmerc and .nv.merc copies) and the symbols of its own functions ($K$NAME).
// Code, attributes and relocations keep their bytes. What follows a string table moves by a multiple of the largest
// alignment of the file; the free space behind the table takes the remainder, so renaming back yields the same file.
// Debug information keeps the old name.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"

namespace cubinlab {

// Errors: BadInput (not a cubin, string tables that other sections overlap), NotFound (no such kernel), BadUse (`to` is
// not a PTX identifier, or the file has a symbol of that name), Unsupported (a section of the kernel of unknown kind).
Result<std::vector<std::byte>> rename_kernel(Bytes cubin, std::string_view from, std::string_view to);

}  // namespace cubinlab
