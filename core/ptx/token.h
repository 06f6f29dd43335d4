// SPDX-License-Identifier: GPL-3.0-or-later
// Words and signs of a PTX text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        Word,  // identifier, number, opcode or directive with its dots: "ld.global.v4.f32", "%tid.x", "0f3F800000"
        String,  // with its quotes
        Sign,    // one character
        AsmBegin,
        AsmEnd,   // the comments "begin inline asm" and "end inline asm"
        Comment,  // only inside inline assembly, and only if it names a register
    };
    Kind kind = Kind::Sign;
    bool line_start = false;  // the first of its line
    std::uint32_t begin = 0, end = 0;

    std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

constexpr std::size_t kLongestText = std::size_t{32} << 20;

// Errors: BadInput (a comment, string or inline assembly without an end, a character that PTX does not have), with its line.
Result<std::vector<Token>> tokens_of(std::string_view text);

// "line 12", for Error::where.
std::string line_text(std::string_view text, std::size_t at);

inline bool is(const Token& token, std::string_view text, char sign) {
    return token.kind == Token::Kind::Sign && text[token.begin] == sign;
}

}  // namespace cubinlab::ptx
