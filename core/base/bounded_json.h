// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to read JSON and CBOR that somebody else may have written. The bytes are looked over first,
// with a fixed amount of memory: nesting deeper than any document of ours, or more values than any of ours
// holds, is refused before the parser (whose CBOR half recurses, and whose values are many times the text)
// sees it.
//
//   auto document = parse_json(text, JsonComments::Allowed);
//   if (!document) return fail(document.error());
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace cubinlab {

inline constexpr std::size_t kMostJsonDepth = 64;
inline constexpr std::size_t kMostJsonValues = std::size_t{1} << 20;

enum class JsonComments { Refused, Allowed };

// BadInput, with line and column where the text is malformed. An object that has the same key twice keeps the
// last.
Result<nlohmann::json> parse_json(std::string_view text, JsonComments comments = JsonComments::Refused);
// For places where a malformed document is as good as none: a discarded value instead of an error.
nlohmann::json parse_json_or_discard(std::string_view text);

// A whole number that T holds; of anything else it throws std::runtime_error, as nlohmann's own reads do of another
// type. (Theirs casts 3e29 to an integer, which C++ leaves undefined.)
template <class T>
T whole_number(const nlohmann::json& value) {
    if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>()))
        return static_cast<T>(value.get<std::uint64_t>());
    if (value.is_number_integer() && !value.is_number_unsigned() &&
        std::in_range<T>(value.get<std::int64_t>()))
        return static_cast<T>(value.get<std::int64_t>());
    throw std::runtime_error("a number is not whole, or too large: " + value.dump().substr(0, 40));
}

// BadInput. Definite lengths only, texts of UTF-8 only: what our own writer makes.
Result<nlohmann::json> parse_cbor(std::span<const std::byte> bytes);

}  // namespace cubinlab
