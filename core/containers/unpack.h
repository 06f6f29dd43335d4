// SPDX-License-Identifier: GPL-3.0-or-later
// The stored bytes of a fatbin entry, unpacked: raw, zstd (a frame) and LZ4 (a bare block).
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"
#include "core/containers/fatbin.h"

namespace cubinlab {

// `unpacked`: what the entry says; more than `limit` bytes are refused before anything is reserved for them. What
// comes out is exactly `unpacked` bytes. Errors: BadInput (damaged), Unsupported (a packing nobody knows).
Result<std::vector<std::byte>> unpack(Bytes stored, Packing packing, std::size_t unpacked, std::size_t limit);

const char* to_string(Packing packing);  // "raw", "zstd", "LZ4", "unknown packing"
const char* to_string(ImageKind kind);   // "ELF", "PTX", "LTO-IR", "other"

}  // namespace cubinlab
