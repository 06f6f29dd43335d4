// SPDX-License-Identifier: GPL-3.0-or-later
// Reads JSON and CBOR from untrusted sources. A scan with a fixed amount of memory rejects input that nests
// deeper than kMostJsonDepth or has more than kMostJsonValues values before the parser sees it: the CBOR
// parser recurses, and parsed values take many times the memory of the text.
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

// BadInput; the message has line and column of the error. If an object has the same key twice, the last value
// is used.
Result<nlohmann::json> parse_json(std::string_view text, JsonComments comments = JsonComments::Refused);
// Returns a discarded value instead of an error.
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
// Returns a whole number that T can hold, else throws std::runtime_error. (nlohmann's own conversion casts
// 3e29 to an integer, which is undefined behaviour.)
template <class T>
T whole_number(const nlohmann::json& value) {
    if (const auto number = whole_number_in<T>(value)) return *number;
    throw std::runtime_error("a number is not whole, or too large: " + value.dump().substr(0, 40));
}

// Returns object[key] if `object` is an object, has the key and the value converts to the type of `otherwise`
// (whole numbers must fit, a string needs a string); else `otherwise`.
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

// The message without the JSON library's prefix: "line 2, column 1: syntax error while parsing ...".
std::string message_of(const std::exception& error);

// BadInput. Accepts definite lengths and UTF-8 strings only.
Result<nlohmann::json> parse_cbor(std::span<const std::byte> bytes);

}  // namespace cubinlab
