// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks the stored bytes of a fatbin entry: raw, zstd (one frame) and LZ4 (one bare block).
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"
#include "core/binary/fatbin.h"

namespace cubinlab {

// Returns exactly `unpacked` bytes, the size in the entry; rejects more than `limit` bytes before it
// allocates memory. Errors: BadInput (damaged), Unsupported (unknown packing).
Result<std::vector<std::byte>> unpack(Bytes stored, Packing packing, std::size_t unpacked, std::size_t limit);

const char* to_string(Packing packing);  // "raw", "zstd", "LZ4", "unknown packing"
const char* to_string(ImageKind kind);   // "ELF", "PTX", "LTO-IR", "other"

}  // namespace cubinlab
