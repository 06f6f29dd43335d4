// SPDX-License-Identifier: GPL-3.0-or-later
// The database text of a mutation: edits joined by ';'.
//   B12>40   moves instruction 12 before 40         A12>40   after 40
//   C7:000fe4000:000fe8000   control code before and after: the upper nine digits of the word
//   H9:01:00                 cache hint before and after: CacheHint::bits()
//   S3f0c...   the code of that start, alone: its name is up to 32 hexadecimal digits
#include <fmt/format.h>

#include <charconv>

#include "core/schedule/mutation.h"

namespace cubinlab {
namespace {

template <class T>
bool take_number(std::string_view& text, T& value, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end == text.data()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool take(std::string_view& text, char wanted) {
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
}

bool take_value(std::string_view& text, const FieldKind& kind, FieldBits& value) {
    const auto digits = static_cast<std::size_t>(kind.digits);
    std::uint64_t shifted = 0;
    if (text.size() < digits) return false;
    std::string_view front = text.substr(0, digits);
    if (!take_number(front, shifted, 16) || !front.empty()) return false;
    text.remove_prefix(digits);
    if ((shifted & ~(std::uint64_t{kind.mask} << kind.shift)) != 0) return false;
    value = static_cast<FieldBits>(shifted >> kind.shift);
    return true;
}

bool take_edit(std::string_view& text, Edit& edit) {
    for (const FieldKind* kind : kFieldKinds) {
        if (!take(text, kind->letter)) continue;
        edit.kind = kind->kind;
        return take_number(text, edit.instr) && take(text, ':') && take_value(text, *kind, edit.before) &&
               take(text, ':') && take_value(text, *kind, edit.after);
    }
    edit.kind = EditKind::MoveBefore;
    if (!take(text, 'B')) {
        edit.kind = EditKind::MoveAfter;
        if (!take(text, 'A')) return false;
    }
    return take_number(text, edit.instr) && take(text, '>') && take_number(text, edit.anchor);
}

std::string value_text(const FieldKind& kind, FieldBits value) {
    return fmt::format("{:0{}x}", std::uint64_t{value} << kind.shift, kind.digits);
}

}  // namespace

std::string Mutation::encode() const {
    if (!start.empty()) return "S" + start;
    std::string out;
    for (const Edit& edit : edits) {
        if (!out.empty()) out += ';';
        if (is_move(edit.kind)) {
            out += fmt::format("{}{}>{}", edit.kind == EditKind::MoveBefore ? 'B' : 'A', edit.instr,
                               edit.anchor);
            continue;
        }
        const FieldKind& kind = field_of(edit.kind);
        out += fmt::format("{}{}:{}:{}", kind.letter, edit.instr, value_text(kind, edit.before),
                           value_text(kind, edit.after));
    }
    return out;
}

Result<Mutation> Mutation::decode(std::string_view text) {
    Mutation out;
    const std::string_view whole = text;
    if (std::string_view name = text; take(name, 'S')) {
        if (name.empty() || name.size() > 32 || name.find_first_not_of("0123456789abcdef") != name.npos)
            return fail(ErrorCode::BadInput, "a start's name has 1 to 32 hexadecimal digits", std::string(whole.substr(0, 80)));
        out.start = name;
        return out;
    }
    while (!text.empty()) {
        Edit edit;
        const bool separated = out.edits.empty() || take(text, ';');
        if (!separated || !take_edit(text, edit))
            return fail(ErrorCode::BadInput,
                        fmt::format("is not a mutation from character {} on: expected edits like A12>40, "
                                    "B12>40, C7:000fe4000:000fe8000 or H9:01:00, "
                                    "joined by ';'",
                                    whole.size() - text.size() + 1),
                        std::string(whole.substr(0, 80)));
        out.edits.push_back(edit);
    }
    return out;
}

}  // namespace cubinlab
