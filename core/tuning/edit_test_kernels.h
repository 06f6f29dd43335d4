// SPDX-License-Identifier: GPL-3.0-or-later
// What resources/edit_test/edit_test.ptx computes. Internal to the edit test.
#pragma once
#include <array>
#include <cstdint>

namespace cubinlab::edit_test {

inline constexpr char kStores[] = "edit_stores", kChain[] = "edit_chain";
inline constexpr std::uint32_t kImmediate = 0x5bd1e995;
inline constexpr std::uint32_t kChainLength = 256, kPasses = 5, kTimedPasses = 4;

inline std::array<std::uint32_t, 64> stored(std::uint32_t number, std::uint32_t immediate) {
    std::array<std::uint32_t, 64> out{};
    for (std::uint32_t t = 0; t < 32; ++t) {
        const std::uint32_t x = number ^ t * 0x9e3779b1u;
        out[t] = x ^ immediate;
        out[32 + t] = x + 0x7f4a7c15u;
    }
    return out;
}

inline std::uint32_t chained(std::uint32_t number, std::uint32_t t) {
    std::uint32_t x = number ^ t;
    for (std::uint32_t i = 0; i < kChainLength * kPasses; ++i)
        x = x * (number | 1) + (t + 12345);
    return x;
}

}  // namespace cubinlab::edit_test
