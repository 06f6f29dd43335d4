// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/unpack.h"

#include "core/base/enum_names.h"

#include <lz4.h>
#include <zstd.h>

#include <limits>

namespace cubinlab {
namespace {

// An LZ4 block expands at most this many times; a larger size means damage and is rejected.
constexpr std::size_t kMostLz4Ratio = 256;

Result<std::vector<std::byte>> damaged() {
    return fail(ErrorCode::BadInput, "its packed bytes are damaged");
}

Result<std::vector<std::byte>> unpack_zstd(Bytes stored, std::size_t unpacked) {
    const auto size = ZSTD_getFrameContentSize(stored.data(), stored.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || (size != ZSTD_CONTENTSIZE_UNKNOWN && size != unpacked))
        return damaged();
    std::vector<std::byte> out(unpacked);
    const std::size_t n = ZSTD_decompress(out.data(), out.size(), stored.data(), stored.size());
    if (ZSTD_isError(n) != 0 || n != unpacked) return damaged();
    return out;
}

Result<std::vector<std::byte>> unpack_lz4(Bytes stored, std::size_t unpacked) {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    if (stored.size() > kMost || unpacked > kMost || unpacked / kMostLz4Ratio > stored.size())
        return damaged();
    std::vector<std::byte> out(unpacked);
    const int n =
        LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()), reinterpret_cast<char*>(out.data()),
                            static_cast<int>(stored.size()), static_cast<int>(out.size()));
    if (n < 0 || static_cast<std::size_t>(n) != unpacked) return damaged();
    return out;
}

}  // namespace

Result<std::vector<std::byte>> unpack(Bytes stored, Packing packing, std::size_t unpacked,
                                      std::size_t limit) {
    if (packing == Packing::Raw) unpacked = stored.size();
    if (unpacked > limit)
        return fail(ErrorCode::BadInput,
                    "unpacks to more than the " + std::to_string(limit) + " bytes that are read");
    switch (packing) {
        case Packing::Raw:
            return std::vector<std::byte>(stored.begin(), stored.end());
        case Packing::Zstd:
            return unpack_zstd(stored, unpacked);
        case Packing::Lz4:
            return unpack_lz4(stored, unpacked);
        case Packing::Unknown:
            break;
    }
    return fail(ErrorCode::Unsupported, "has an unknown packing (neither zstd nor LZ4)");
}

const char* to_string(Packing packing) {
    return enum_name<Packing::Unknown>({"raw", "zstd", "LZ4", "unknown packing"}, packing, "unknown packing");
}

const char* to_string(ImageKind kind) {
    return enum_name<ImageKind::Other>({"ELF", "PTX", "LTO-IR", "other"}, kind, "other");
}

}  // namespace cubinlab
