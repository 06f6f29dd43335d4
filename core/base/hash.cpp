// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <fmt/format.h>

#include <charconv>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace cubinlab {

std::string Hash128::hex() const {
    return fmt::format("{:016x}{:016x}", hi, lo);
}

std::optional<Hash128> Hash128::from_hex(std::string_view text) {
    if (text.size() != 32) return std::nullopt;
    Hash128 out;
    auto read = [](std::string_view digits, std::uint64_t& value) {
        auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    if (!read(text.substr(0, 16), out.hi) || !read(text.substr(16), out.lo)) return std::nullopt;
    return out;
}

Hash128 hash_bytes(const void* data, std::size_t size) {
    const XXH128_hash_t h = XXH3_128bits(data, size);
    return {h.high64, h.low64};
}

Hash128 hash_bytes(std::span<const std::byte> bytes) {
    return hash_bytes(bytes.data(), bytes.size());
}

}  // namespace cubinlab
