// SPDX-License-Identifier: GPL-3.0-or-later
// A change of a schedule: atomic edits that are applied together. Hand edit, agent step, undo and replay are
// all of this type.
//
//   Mutation m = Mutation::move_to(schedule, id, target_position);
//   Mutation inverse = *m.inverse(schedule);       // before applying
//   schedule = *m.applied(schedule);
//   m.text(*kernel)                                // "move LDG 0x0a30 before HMMA 0x0980"
//
// A move is anchored to a neighbour (an InstrId), not to a position, so that it keeps its meaning if another
// edit is dropped. An edit of a field has the whole field before and after.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct Edit {
    EditKind kind = EditKind::Control;
    InstrId instr = 0;
    InstrId anchor = kNone;           // moves: the new neighbour, in the same block
    FieldBits before = 0, after = 0;  // the field, of the other kinds

    ControlCode control_before() const { return ControlCode::from_bits(before); }  // of a control edit
    ControlCode control_after() const { return ControlCode::from_bits(after); }
    friend bool operator==(const Edit&, const Edit&) = default;
};

// What the edit changes: "stall 4 -> 2", and for tables "stall down". Empty for moves.
std::vector<std::string> change_texts(EditKind kind, FieldBits before, FieldBits after);
std::vector<std::string> change_labels(EditKind kind, FieldBits before, FieldBits after);

struct Mutation {
    std::vector<Edit> edits;
    // Not empty: begins again at another compilation of the kernel, by its name in the session. Such a mutation has no edits
    // and cannot be applied to a schedule: the session has the code.
    std::string start = {};

    static Mutation move_before(InstrId id, InstrId anchor);
    static Mutation move_after(InstrId id, InstrId anchor);
    // Moves `id` to position `to` in `schedule` (not its current position, same block).
    static Mutation move_to(const Schedule& schedule, InstrId id, Position to);
    static Mutation field(const Schedule& schedule, const FieldKind& kind, InstrId id, FieldBits after);
    static Mutation control(const Schedule& schedule, InstrId id, const ControlCode& after);

    bool empty() const { return edits.empty() && start.empty(); }
    MutationKind kind() const;
    InstrId instr() const { return edits.empty() ? kNone : edits.front().instr; }

    // Checks only the structure (same block, ids exist, `before` matches); Refused names the edit.
    // HazardChecker checks legality.
    Status apply(Schedule& schedule) const;
    Result<Schedule> applied(const Schedule& schedule) const;
    Result<Mutation> inverse(const Schedule& before) const;

    // One line for people, with names for common patterns:
    //   "move LDG 0x0a30 before HMMA 0x0980, paying 3 cycles on IADD3 0x0970"
    //   "LDG 0x0a30: write barrier 2 -> 4; its waits follow: FADD 0x0b00, IMAD 0x0b40"
    //   "the wait for SB2 goes from FADD 0x0b00 to IMAD 0x0b40"
    std::string text(const Kernel& kernel) const;
    std::string encode() const;  // compact, stable text for the database: "A12>40;C7:000fe4000:000fe8000;H9:01:00"
    static Result<Mutation> decode(std::string_view text);

    friend bool operator==(const Mutation&, const Mutation&) = default;
};

// The mutation from `from` to `to` with few edits: instructions in the longest common subsequence of the
// orders stay, each other one is one anchored move. Edits of fields are last, kind by kind.
Mutation difference(const Schedule& from, const Schedule& to);

}  // namespace cubinlab
