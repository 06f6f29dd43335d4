// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <concepts>
#include <string>
#include <string_view>

namespace cubinlab {

// "1 loop", "2 loops"
template <std::integral T>
std::string number_of(T number, std::string_view what) {
    return std::to_string(number) + ' ' + std::string(what) + (number == 1 ? "" : "s");
}

}  // namespace cubinlab
