// SPDX-License-Identifier: GPL-3.0-or-later
// zstd for blobs of the session file: cubins, listings, keyframes.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

std::vector<std::byte> compress(std::span<const std::byte> bytes);
std::vector<std::byte> compress(std::string_view text);
// With `dictionary`, which the blob resembles; decompress_with() needs the same.
std::vector<std::byte> compress_with(std::span<const std::byte> dictionary, std::span<const std::byte> bytes);
Result<std::vector<std::byte>> decompress_with(std::span<const std::byte> dictionary,
                                               std::span<const std::byte> blob,
                                               std::size_t limit = std::size_t{1} << 29);
// Corrupt if the blob is no whole zstd frame, would be larger than `limit` bytes, or would grow a thousandfold
// (what is stored shrinks to a tenth at most).
Result<std::vector<std::byte>> decompress(std::span<const std::byte> blob,
                                          std::size_t limit = std::size_t{1} << 29);

}  // namespace cubinlab
