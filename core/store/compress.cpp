// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/compress.h"

#include <zstd.h>

#include <cassert>

namespace cubinlab {

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
    std::vector<std::byte> blob(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress(blob.data(), blob.size(), bytes.data(), bytes.size(), 3);
    assert(!ZSTD_isError(size));  // the bound makes failure a programming error
    blob.resize(size);
    return blob;
}

std::vector<std::byte> compress(std::string_view text) {
    return compress(std::as_bytes(std::span(text.data(), text.size())));
}

Result<std::vector<std::byte>> decompress(std::span<const std::byte> blob, std::size_t limit) {
    const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail(ErrorCode::Corrupt, "a compressed blob is damaged");
    constexpr unsigned long long kSmall = 1 << 20;
    if (size > limit || size > kSmall + 1000ull * blob.size())
        return fail(ErrorCode::Corrupt, "a compressed blob is larger than this program accepts");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), blob.data(), blob.size());
    if (ZSTD_isError(got) || got != bytes.size())
        return fail(ErrorCode::Corrupt, "a compressed blob is damaged");
    return bytes;
}

}  // namespace cubinlab
