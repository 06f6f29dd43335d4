// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ptx/token.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cubinlab::ptx {

namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.' || (c & 0x80) != 0;
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Result<std::vector<Token>> run() {
        while (skip_space()) {
            const std::size_t begin = at_;
            if (starts("//") || (text_[at_] == '#' && line_start_)) {
                comment(std::min(text_.find('\n', at_), text_.size()));
            } else if (starts("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) return error(begin, "a comment without an end");
                comment(end + 2);
            } else if (text_[at_] == '"') {
                if (!string()) return error(begin, "a string without an end");
            } else if (in_word(text_[at_])) {
                word();
            } else if (std::string_view("{}()[]<>,;:=+-*/!@|&~?^\\").find(text_[at_]) !=
                       std::string_view::npos) {
                push(Token::Kind::Sign, at_ + 1);
            } else {
                return error(begin, "a character that PTX does not have");
            }
        }
        if (asm_begin_) return error(*asm_begin_, "inline assembly without an end");
        return std::move(tokens_);
    }

  private:
    bool starts(std::string_view part) const { return text_.compare(at_, part.size(), part) == 0; }

    bool skip_space() {
        // Containers and cuModuleLoadData end a text with a zero.
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n') line_start_ = true;
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' && c != '\v' && c != '\0')
                return true;
        }
        return false;
    }
    void push(Token::Kind kind, std::size_t end) {
        tokens_.push_back(
            {kind, line_start_, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)});
        line_start_ = false;
        at_ = end;
    }
    void comment(std::size_t end) {
        const std::string_view comment = text_.substr(at_, end - at_);
        const std::size_t first = std::min(comment.find_first_not_of("/* \t"), comment.size());
        const std::string_view said = comment.substr(first);
        if (said.starts_with("begin inline asm") && !asm_begin_) {
            asm_begin_ = at_;
            push(Token::Kind::AsmBegin, end);
        } else if (said.starts_with("end inline asm") && asm_begin_) {
            asm_begin_.reset();
            push(Token::Kind::AsmEnd, end);
        } else if (asm_begin_ && comment.find('%') != std::string_view::npos) {
            push(Token::Kind::Comment, end);
        } else {
            line_start_ |= comment.find('\n') != std::string_view::npos;
            at_ = end;
        }
    }
    bool string() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        if (end >= text_.size() || text_[end] != '"') return false;
        push(Token::Kind::String, end + 1);
        return true;
    }
    void word() {
        std::size_t end = at_;
        while (end < text_.size()) {
            const bool joined = text_.compare(end, 2, "::") == 0 && end + 2 < text_.size() &&
                                in_word(text_[end + 2]) && text_[end + 2] != '.';
            if (!joined && !in_word(text_[end])) break;
            end += joined ? 2 : 1;
        }
        push(Token::Kind::Word, end);
    }
    tl::unexpected<Error> error(std::size_t at, std::string what) const {
        return fail(ErrorCode::BadInput, std::move(what), line_text(text_, at));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool line_start_ = true;
    std::optional<std::size_t> asm_begin_;
    std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) {
    if (text.size() > kLongestText) return fail(ErrorCode::BadInput, "the text is larger than 32 MiB");
    return Lexer(text).run();
}

std::string line_text(std::string_view text, std::size_t at) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
    return "line " + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

}  // namespace cubinlab::ptx
