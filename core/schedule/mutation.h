// SPDX-License-Identifier: GPL-3.0-or-later
// A change of a schedule: one or more atomic edits applied together. Hand edit, agent step, undo and replay
// are all this one type.
//
//   Mutation m = Mutation::move_to(schedule, id, target_position);
//   Mutation back = *m.inverse(schedule);          // before applying
//   schedule = *m.applied(schedule);
//   m.text(*kernel)                                // "move LDG 0x0a30 before HMMA 0x0980"
//
// Moves are anchored to a neighbour (an InstrId), not to a slot number, so that an edit keeps its meaning
// when another one is dropped. Control edits carry the whole control code before and after.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class EditKind : std::uint8_t { MoveBefore = 0, MoveAfter = 1, Control = 2 };

struct Edit {
    EditKind kind = EditKind::Control;
    InstrId instr = 0;
    InstrId anchor = kNone;  // moves: the instruction it is put before or after, of the same block
    ControlCode before;      // control edits
    ControlCode after;
    friend bool operator==(const Edit&, const Edit&) = default;
};

// What an edit changes, for filters, tables and the log.
//   MoveAndPay  moves and the stall counts that make them legal or take back what they left over
//   Reassign    barriers of producers and the wait masks that go with them, nothing else
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
};
inline constexpr int kMutationKinds = static_cast<int>(MutationKind::Reassign) + 1;
const char* to_string(MutationKind kind);  // "move-and-pay"

struct Mutation {
    std::vector<Edit> edits;

    static Mutation move_before(InstrId id, InstrId anchor);
    static Mutation move_after(InstrId id, InstrId anchor);
    // The anchored move that puts `id` at `to` in `schedule` (to != its position, same block).
    static Mutation move_to(const Schedule& schedule, InstrId id, Position to);
    static Mutation control(const Schedule& schedule, InstrId id, const ControlCode& after);

    bool empty() const { return edits.empty(); }
    MutationKind kind() const;
    InstrId instr() const { return edits.empty() ? kNone : edits.front().instr; }

    // Structure only (same block, ids exist, `before` matches): Refused names the edit. Legality is the
    // checker's.
    Status apply(Schedule& schedule) const;
    Result<Schedule> applied(const Schedule& schedule) const;
    Result<Mutation> inverse(const Schedule& before) const;

    // One line for people. Patterns are named as what they are:
    //   "move LDG 0x0a30 before HMMA 0x0980, paying 3 cycles on IADD3 0x0970"
    //   "LDG 0x0a30: write barrier 2 -> 4; its waits follow: FADD 0x0b00, IMAD 0x0b40"
    //   "the wait for SB2 goes from FADD 0x0b00 to IMAD 0x0b40"
    std::string text(const Kernel& kernel) const;
    std::string encode() const;  // compact, stable text for the database: "A12>40;C7:000fe4000:000fe8000"
    static Result<Mutation> decode(std::string_view text);

    friend bool operator==(const Mutation&, const Mutation&) = default;
};

// The mutation that takes `from` to `to` in few edits (longest common subsequence of the order keeps its
// place; each other instruction is one anchored move), control edits last.
Mutation difference(const Schedule& from, const Schedule& to);

}  // namespace cubinlab
