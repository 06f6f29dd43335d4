// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of edits. A move changes the order; every other kind rewrites one field of an instruction's word and is one
// FieldKind. Schedule, log, keyframes, patches, legality, search and views iterate over kFieldKinds, so a new kind is its
// value in EditKind, its row in kFieldKinds and its description (core/schedule/hint_field.cpp is the shortest).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/isa/arch.h"
#include "core/isa/word.h"
#include "core/sass/instruction.h"

namespace cubinlab {

enum class EditKind : std::uint8_t { MoveBefore = 0, MoveAfter = 1, Control = 2, Hint = 3 };
constexpr bool is_move(EditKind kind) {
    return kind == EditKind::MoveBefore || kind == EditKind::MoveAfter;
}

// Both are moves, or of the same kind.
constexpr bool alike(EditKind a, EditKind b) {
    return a == b || (is_move(a) && is_move(b));
}

// What a mutation changes, for filters, tables and the log.
//   MoveAndPay  moves, and stall counts raised to make them legal or lowered where they are too high
//   Reassign    barriers of producers and the matching wait masks only
//   Start       the code of another compilation
enum class MutationKind : std::uint8_t {
    Move,
    Stall,
    Yield,
    Barrier,
    Wait,
    Reuse,
    Mixed,
    MoveAndPay,
    Reassign,
    Hint,
    Start,
};
inline constexpr int kMutationKinds = static_cast<int>(MutationKind::Start) + 1;
const char* to_string(MutationKind kind);  // "move+stall"

using FieldBits = std::uint32_t;  // the value of a field, packed

// A part of a field that is named by itself.
struct FieldPart {
    MutationKind kind;
    FieldBits mask;
    std::string (*text)(FieldBits before, FieldBits after);   // "stall 4 -> 2"
    std::string (*label)(FieldBits before, FieldBits after);  // "stall down"
};

struct FieldKind {
    EditKind kind;
    const char* name;  // "control code"
    FieldBits mask;    // bits that a value can have
    // In the log: the letter, and the value shifted left by `shift` in `digits` hexadecimal digits.
    char letter;
    int digits, shift;
    bool (*has)(const Word&);  // the instruction has the field
    FieldBits (*read)(const Word&);
    Word (*write)(const Word&, FieldBits);
    std::string (*text)(FieldBits);  // one word, or several with a blank between
    Result<FieldBits> (*parse)(std::string_view);
    // Why the instruction cannot have this value instead of its own; empty: it can. Null: the rules that concern several
    // instructions decide (core/legality).
    std::string (*refusal)(const Arch&, const Instruction&, FieldBits);
    bool changes_code;  // more than a reschedule: the instruction is another one
    std::span<const FieldPart> parts;

    // The instruction can hold the value: a copy has no eviction priority.
    bool fits(const Word& word, FieldBits bits) const { return read(write(word, bits)) == bits; }
};

extern const FieldKind kControlField;
extern const FieldKind kHintField;
inline constexpr std::array<const FieldKind*, 2> kFieldKinds = {&kControlField, &kHintField};

// Of a kind that is no move.
const FieldKind& field_of(EditKind kind);

// The value of one field.
struct FieldValue {
    EditKind kind = EditKind::Control;
    FieldBits bits = 0;
    friend bool operator==(const FieldValue&, const FieldValue&) = default;
};

// The word with every field cleared: what no edit changes.
Word without_fields(const Word& word);

}  // namespace cubinlab
