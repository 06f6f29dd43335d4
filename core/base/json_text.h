// SPDX-License-Identifier: GPL-3.0-or-later
// JSON documents with strings that may not be valid UTF-8, for example file names.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace cubinlab {

inline constexpr const char* kNotUtf8 = "not_utf8";

// Returns valid ASCII JSON for any strings. In a string that is not UTF-8, U+FFFD replaces invalid bytes, and
// the member `not_utf8` of the document has all its bytes in hexadecimal, by JSON pointer:
// {"session": "s\ufffd.db", "not_utf8": {"/session": "73ff2e6462"}}
template <class Json>
std::string json_text(const Json& document, int indent);

}  // namespace cubinlab
