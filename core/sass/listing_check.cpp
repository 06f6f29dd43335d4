// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/listing_check.h"

#include <algorithm>
#include <vector>

namespace cubinlab {
namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "R12", "UR4", "P0", "UP3", "B2", "SB0"; zero registers and true predicates are not compared.
bool is_register(std::string_view word) {
    for (const std::string_view file : {"UR", "UP", "SB", "R", "P", "B"}) {
        if (!word.starts_with(file)) continue;
        const std::string_view number = word.substr(file.size());
        return !number.empty() && number.size() <= 3 &&
               number.find_first_not_of("0123456789") == std::string_view::npos;
    }
    return false;
}

struct Shape {
    std::string_view guard, opcode;
    std::vector<std::string_view> registers;
    bool operator==(const Shape&) const = default;
};

Shape shape_of(std::string_view text) {
    Shape shape;
    const std::size_t first = text.find_first_not_of(' ');
    text.remove_prefix(std::min(first, text.size()));
    if (text.starts_with('@')) {
        shape.guard = text.substr(0, text.find(' '));
        text.remove_prefix(shape.guard.size());
    }
    for (std::size_t at = 0; at < text.size();) {
        if (!in_word(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && in_word(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (shape.opcode.empty())
            shape.opcode = word;
        else if (is_register(word))
            shape.registers.push_back(word);
        at = end;
    }
    std::sort(shape.registers.begin(), shape.registers.end());
    return shape;
}

}  // namespace

bool same_instruction(std::string_view line, std::string_view own) {
    return shape_of(line) == shape_of(own);
}

}  // namespace cubinlab
