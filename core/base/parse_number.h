// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace cubinlab {

// Parses the whole text as a T; integers are in base `base`. Nothing: not a number, or it does not fit.
template <class T>
std::optional<T> parse_number(std::string_view text, [[maybe_unused]] int base = 10) {
    T value{};
    const char* const last = text.data() + text.size();
    std::from_chars_result read{};
    if constexpr (std::integral<T>)
        read = std::from_chars(text.data(), last, value, base);
    else
        read = std::from_chars(text.data(), last, value);
    return read.ec == std::errc{} && read.ptr == last ? std::optional<T>(value) : std::nullopt;
}

}  // namespace cubinlab
