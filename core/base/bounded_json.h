// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to read JSON and CBOR that somebody else may have written. The bytes are looked over first,
// with a fixed amount of memory: nesting deeper than any document of ours, or more values than any of ours
// holds, is refused before the parser (whose CBOR half recurses, and whose values are many times the text)
// sees it.
//
//   const nlohmann::json document = TRY(parse_json(text, JsonComments::Allowed));
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
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

template <class T, class Json>
std::optional<T> whole_number_in(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.template get<std::uint64_t>();
        if (std::in_range<T>(number)) return static_cast<T>(number);
    } else if (value.is_number_integer()) {
        const auto number = value.template get<std::int64_t>();
        if (std::in_range<T>(number)) return static_cast<T>(number);
    }
    return std::nullopt;
}
// A whole number that T holds; of anything else it throws std::runtime_error, as nlohmann's own reads do of another
// type. (Theirs casts 3e29 to an integer, which C++ leaves undefined.)
template <class T>
T whole_number(const nlohmann::json& value) {
    if (const auto number = whole_number_in<T>(value)) return *number;
    throw std::runtime_error("a number is not whole, or too large: " + value.dump().substr(0, 40));
}

// The value of this key where `object` is an object that has it, of the type of `otherwise` (whole numbers: that T
// holds; a text for a text); else `otherwise`.
template <class Json, class T>
auto json_or(const Json& object, const char* key, T otherwise) {
    using Value = std::conditional_t<std::is_convertible_v<T, std::string_view>, std::string, T>;
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end()) return Value(otherwise);
    if constexpr (std::is_same_v<Value, std::string>) {
        if (found->is_string()) return found->template get<Value>();
    } else if constexpr (std::is_same_v<Value, bool>) {
        if (found->is_boolean()) return found->template get<Value>();
    } else if constexpr (std::is_integral_v<Value>) {
        return whole_number_in<Value>(*found).value_or(otherwise);
    } else if constexpr (std::is_floating_point_v<Value>) {
        if (found->is_number()) return found->template get<Value>();
    } else {
        try {
            return found->template get<Value>();
        } catch (const nlohmann::json::exception&) {
        }
    }
    return Value(otherwise);
}

// What an exception says, without the JSON library's name for it: "line 2, column 1: syntax error while parsing ...".
std::string words_of(const std::exception& error);

// BadInput. Definite lengths only, texts of UTF-8 only: what our own writer makes.
Result<nlohmann::json> parse_cbor(std::span<const std::byte> bytes);

}  // namespace cubinlab
