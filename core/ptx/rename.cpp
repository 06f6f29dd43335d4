// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/ptx/module.h"
#include "core/ptx/token.h"

namespace cubinlab::ptx {

namespace {

bool is_identifier(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto follows = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '$'; };
    if (name.empty() || !(letter(name[0]) || (name.size() > 1 && (name[0] == '_' || name[0] == '$'))))
        return false;
    return std::all_of(name.begin() + 1, name.end(), follows);
}

}  // namespace

Result<std::string> rename_entry(const std::string& text, std::string_view from, std::string_view to) {
    const Module module = TRY(parse(text));
    const auto named = [from](const Entry& entry) { return entry.name == from; };
    if (std::none_of(module.entries.begin(), module.entries.end(), named))
        return fail(ErrorCode::NotFound, "the PTX has no entry '" + std::string(from) + "'");
    if (!is_identifier(to))
        return fail(ErrorCode::BadUse, "'" + std::string(to) + "' is not a PTX identifier");
    const std::vector<Token> tokens = TRY(tokens_of(text));
    std::string out;
    std::size_t position = 0;
    for (const Token& token : tokens) {
        const bool quoted = token.kind == Token::Kind::String;
        if (!quoted && token.kind != Token::Kind::Word) continue;
        const std::string_view whole = token.in(text);
        const std::string_view name = quoted ? whole.substr(1, whole.size() - 2) : whole;
        if (name == to && from != to)
            return fail(ErrorCode::BadUse, "the PTX already names '" + std::string(to) + "'",
                        line_text(text, token.begin));
        if (name != from) continue;
        const std::size_t begin = token.begin + (quoted ? 1 : 0);
        out.append(text, position, begin - position).append(to);
        position = begin + name.size();
    }
    return out.append(text, position);
}

}  // namespace cubinlab::ptx
