// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/compress.h"

#include <zstd.h>

#include <cassert>
#include <memory>

namespace cubinlab {

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
    return compress_with({}, bytes);
}

std::vector<std::byte> compress_with(std::span<const std::byte> dictionary, std::span<const std::byte> bytes) {
    std::vector<std::byte> blob(ZSTD_compressBound(bytes.size()));
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    const std::size_t size = ZSTD_compress_usingDict(context.get(), blob.data(), blob.size(), bytes.data(), bytes.size(),
                                                     dictionary.data(), dictionary.size(), 3);
    assert(!ZSTD_isError(size));  // the bound makes failure a programming error
    blob.resize(size);
    return blob;
}

std::vector<std::byte> compress(std::string_view text) {
    return compress(std::as_bytes(std::span(text.data(), text.size())));
}

Result<std::vector<std::byte>> decompress(std::span<const std::byte> blob, std::size_t limit) {
    return decompress_with({}, blob, limit);
}

Result<std::vector<std::byte>> decompress_with(std::span<const std::byte> dictionary,
                                               std::span<const std::byte> blob, std::size_t limit) {
    const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail(ErrorCode::Corrupt, "a compressed blob is damaged");
    constexpr unsigned long long kSmall = 1 << 20;
    if (size > limit || size > kSmall + 1000ull * blob.size())
        return fail(ErrorCode::Corrupt, "a compressed blob is larger than this program accepts");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    const std::size_t got = ZSTD_decompress_usingDict(context.get(), bytes.data(), bytes.size(), blob.data(),
                                                      blob.size(), dictionary.data(), dictionary.size());
    if (ZSTD_isError(got) || got != bytes.size())
        return fail(ErrorCode::Corrupt, "a compressed blob is damaged");
    return bytes;
}

}  // namespace cubinlab
