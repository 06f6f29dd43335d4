// SPDX-License-Identifier: GPL-3.0-or-later
// The database text of a mutation: edits joined by ';'.
//   B12>40   moves instruction 12 before 40         A12>40   after 40
//   C7:000fe4000:000fe8000   control code before and after: the upper nine digits of the high half
//   S3f0c...   the code of that start, alone: its name is up to 32 hexadecimal digits
#include <fmt/format.h>

#include <charconv>

#include "core/schedule/mutation.h"

namespace cubinlab {
namespace {

constexpr unsigned kHexShift = 28;    // nine digits: bits 92..127 of the word
constexpr unsigned kControlBit = 41;  // first control bit in the high half
constexpr unsigned kControlBits = 21;

std::uint64_t control_digits(const ControlCode& control) {
    return control.encode_into(Word{}).hi >> kHexShift;
}

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

bool take_control(std::string_view& text, ControlCode& control) {
    std::uint64_t digits = 0;
    if (text.size() < 9) return false;
    std::string_view nine = text.substr(0, 9);
    if (!take_number(nine, digits, 16) || !nine.empty()) return false;
    text.remove_prefix(9);
    const std::uint64_t high = digits << kHexShift;
    if (high & ~(((1ull << kControlBits) - 1) << kControlBit)) return false;
    control = ControlCode::decode(Word{0, high});
    return true;
}

bool take_edit(std::string_view& text, Edit& edit) {
    if (take(text, 'C')) {
        edit.kind = EditKind::Control;
        return take_number(text, edit.instr) && take(text, ':') && take_control(text, edit.before) &&
               take(text, ':') && take_control(text, edit.after);
    }
    edit.kind = EditKind::MoveBefore;
    if (!take(text, 'B')) {
        edit.kind = EditKind::MoveAfter;
        if (!take(text, 'A')) return false;
    }
    return take_number(text, edit.instr) && take(text, '>') && take_number(text, edit.anchor);
}

}  // namespace

std::string Mutation::encode() const {
    if (!start.empty()) return "S" + start;
    std::string out;
    for (const Edit& edit : edits) {
        if (!out.empty()) out += ';';
        if (edit.kind == EditKind::Control)
            out += fmt::format("C{}:{:09x}:{:09x}", edit.instr, control_digits(edit.before),
                               control_digits(edit.after));
        else
            out += fmt::format("{}{}>{}", edit.kind == EditKind::MoveBefore ? 'B' : 'A', edit.instr,
                               edit.anchor);
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
                                    "B12>40 or C7:000fe4000:000fe8000, "
                                    "joined by ';'",
                                    whole.size() - text.size() + 1),
                        std::string(whole.substr(0, 80)));
        out.edits.push_back(edit);
    }
    return out;
}

}  // namespace cubinlab
