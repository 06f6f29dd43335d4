// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cubinlab {

// "1 loop", "2 loops"
template <std::integral T>
std::string number_of(T number, std::string_view what) {
    return std::to_string(number) + ' ' + std::string(what) + (number == 1 ? "" : "s");
}

// "12,345,678"
inline std::string with_thousands(std::uint64_t value) {
    std::string out = std::to_string(value);
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
        out.insert(static_cast<std::size_t>(at), ",");
    return out;
}

}  // namespace cubinlab
