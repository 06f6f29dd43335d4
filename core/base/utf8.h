// SPDX-License-Identifier: GPL-3.0-or-later
// Names in files are bytes; JSON holds only UTF-8.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cubinlab {

// Returns the size in bytes of the UTF-8 sequence at `at` and its code point in `code`; 0 if it is not valid.
std::size_t utf8_sequence(std::string_view text, std::size_t at, std::uint32_t& code);
bool is_utf8(std::string_view text);
inline constexpr std::string_view kNotUtf8Mark = "\xef\xbf\xbd";
// Replaces each run of invalid bytes or of U+FFFD by one U+FFFD, so a name and any JSON writer's version of it compare equal.
std::string as_utf8(std::string_view text);

}  // namespace cubinlab
