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
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

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

// BadInput. Definite lengths only, texts of UTF-8 only: what our own writer makes.
Result<nlohmann::json> parse_cbor(std::span<const std::byte> bytes);

}  // namespace cubinlab
