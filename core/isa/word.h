// SPDX-License-Identifier: GPL-3.0-or-later
// One 128-bit instruction word with bit access (bit 0 = lowest bit of the first byte).
#pragma once
#include <cstdint>

namespace cubinlab {

struct Word {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;

    // Bits [first, first + count), count <= 64; the range may cross bit 64.
    constexpr std::uint64_t bits(unsigned first, unsigned count) const {
        const std::uint64_t mask = count >= 64 ? ~0ull : (1ull << count) - 1;
        if (first >= 64) return (hi >> (first - 64)) & mask;
        std::uint64_t value = lo >> first;
        if (first + count > 64 && first != 0) value |= hi << (64 - first);
        return value & mask;
    }
    constexpr bool bit(unsigned index) const { return bits(index, 1) != 0; }

    friend constexpr bool operator==(const Word&, const Word&) = default;
};
static_assert(sizeof(Word) == 16);

inline constexpr unsigned kWordBytes = 16;

}  // namespace cubinlab
