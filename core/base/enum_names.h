// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the values of an enum, in the order of the values. A table of the wrong length does not compile.
//
//   const char* to_string(Verdict verdict) {
//       return enum_name<Verdict::Unclear>({"FASTER", "SAME", "SLOWER", "UNCLEAR"}, verdict, "UNCLEAR");
//   }
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace cubinlab {

// `Last` is the last value; the enum counts from 0. `otherwise` is returned for a number that is not a value.
template <auto Last, std::size_t N>
constexpr const char* enum_name(const char* const (&names)[N], decltype(Last) value, const char* otherwise) {
    static_assert(N == static_cast<std::size_t>(Last) + 1);
    const auto index = static_cast<std::size_t>(value);
    return index < N ? names[index] : otherwise;
}

template <auto Last, std::size_t N>
constexpr std::optional<decltype(Last)> enum_value(const char* const (&names)[N], std::string_view name) {
    static_assert(N == static_cast<std::size_t>(Last) + 1);
    for (std::size_t i = 0; i < N; ++i)
        if (name == names[i]) return static_cast<decltype(Last)>(i);
    return std::nullopt;
}

}  // namespace cubinlab
