// SPDX-License-Identifier: GPL-3.0-or-later
// JSON documents whose texts may be no UTF-8, as the names of files may be.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cubinlab {

// Bytes of the UTF-8 sequence at `at`, and the character that it stands for; 0: none begins there.
std::size_t utf8_sequence(std::string_view text, std::size_t at, std::uint32_t& code);
bool is_utf8(std::string_view text);

inline constexpr const char* kNotUtf8 = "not_utf8";

// ASCII, and valid whatever the texts hold: where one is no UTF-8, U+FFFD stands for what is none, and `not_utf8` of the
// document has all its bytes in hexadecimal, by JSON pointer: {"session": "s\ufffd.db", "not_utf8": {"/session": "73ff2e6462"}}.
// Of nlohmann::json and nlohmann::ordered_json.
template <class Json>
std::string json_text(const Json& document, int indent);

}  // namespace cubinlab
