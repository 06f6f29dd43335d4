// SPDX-License-Identifier: GPL-3.0-or-later
// The known values of a launch: dimensions of block and grid, and the bytes of constant bank 0 (the dimensions
// again, scalar parameters). Pointers have no known value.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cubinlab {

struct LaunchValues {
    std::array<std::uint32_t, 3> block{}, grid{};  // 0: not known
    std::vector<std::int16_t> bank;                // byte at its offset; -1: not known

    void set(std::uint32_t offset, std::span<const std::byte> bytes) {
        if (bank.size() < offset + bytes.size()) bank.resize(offset + bytes.size(), -1);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bank[offset + i] = std::to_integer<std::int16_t>(bytes[i]);
    }
    void set_word(std::uint32_t offset, std::uint32_t word) {
        set(offset, std::as_bytes(std::span(&word, 1)));
    }
    // `bytes` of them, up to 4, the lowest first.
    std::optional<std::uint32_t> value(std::uint32_t offset, unsigned bytes) const {
        std::uint32_t out = 0;
        for (unsigned i = 0; i < bytes; ++i) {
            if (offset + i >= bank.size() || bank[offset + i] < 0) return std::nullopt;
            out |= static_cast<std::uint32_t>(bank[offset + i]) << (8 * i);
        }
        return out;
    }
};

}  // namespace cubinlab
