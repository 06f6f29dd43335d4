// SPDX-License-Identifier: GPL-3.0-or-later
// Content hash: XXH3, 128 bits. A kernel is identified by the hash of its code words, not of the file: two
// builds of one source differ in file bytes and agree in code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cubinlab {

struct Hash128 {
    std::uint64_t hi = 0;
    std::uint64_t lo = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
    friend auto operator<=>(const Hash128&, const Hash128&) = default;
    std::string hex() const;  // 32 lower-case digits, hi first
    static std::optional<Hash128> from_hex(std::string_view text);
};

Hash128 hash_bytes(std::span<const std::byte> bytes);
Hash128 hash_bytes(const void* data, std::size_t size);

}  // namespace cubinlab

template <>
struct std::hash<cubinlab::Hash128> {
    std::size_t operator()(const cubinlab::Hash128& h) const noexcept {
        return static_cast<std::size_t>(h.lo ^ (h.hi * 0x9e3779b97f4a7c15ull));
    }
};
