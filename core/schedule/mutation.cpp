// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/mutation.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {
namespace {

Edit move_edit(EditKind kind, InstrId id, InstrId anchor) {
    return {kind, id, anchor};
}
Edit field_edit(EditKind kind, InstrId id, FieldBits before, FieldBits after) {
    return {kind, id, kNone, before, after};
}

std::string at(InstrId id) {
    return fmt::format("0x{:04x}", id * kWordBytes);
}

// The new position of the instruction; the anchor shifts by one if the instruction was before it.
Position destination(const Schedule& schedule, const Edit& edit) {
    const Position from = schedule.position_of(edit.instr);
    const Position anchor = schedule.position_of(edit.anchor);
    if (edit.kind == EditKind::MoveBefore) return from < anchor ? anchor - 1 : anchor;
    return from < anchor ? anchor : anchor + 1;
}

Status check_field(const Schedule& schedule, const Edit& edit) {
    const FieldKind& kind = field_of(edit.kind);
    if (!kind.has(schedule.word_of(edit.instr)))
        return fail(ErrorCode::Refused, fmt::format("{} has no {}", at(edit.instr), kind.name));
    if (!kind.fits(schedule.word_of(edit.instr), edit.after))
        return fail(ErrorCode::Refused, fmt::format("the {} of {} cannot be {}", kind.name, at(edit.instr),
                                                    kind.text(edit.after)));
    const FieldBits now = schedule.field(kind, edit.instr);
    if (now == edit.before) return {};
    return fail(ErrorCode::Refused, fmt::format("the {} of {} is {}, not {} as the edit expects", kind.name,
                                                at(edit.instr), kind.text(now), kind.text(edit.before)));
}

Status check(const Schedule& schedule, const Edit& edit) {
    if (edit.instr >= schedule.size())
        return fail(ErrorCode::Refused, fmt::format("there is no instruction {}", edit.instr));
    if (!is_move(edit.kind)) return check_field(schedule, edit);
    if (edit.anchor >= schedule.size())
        return fail(ErrorCode::Refused, fmt::format("there is no instruction {}", edit.anchor));
    if (edit.anchor == edit.instr)
        return fail(ErrorCode::Refused, fmt::format("{} cannot move past itself", at(edit.instr)));
    const Kernel& kernel = *schedule.kernel();
    if (kernel.block_of(edit.instr) != kernel.block_of(edit.anchor))
        return fail(ErrorCode::Refused,
                    fmt::format("{} and {} are in different blocks", at(edit.instr), at(edit.anchor)));
    return {};
}

void perform(Schedule& schedule, const Edit& edit) {
    if (is_move(edit.kind))
        schedule.move(edit.instr, destination(schedule, edit));
    else
        schedule.set_field(field_of(edit.kind), edit.instr, edit.after);
}

// The inverse of `edit`, for the schedule before it.
Edit inverse_edit(const Schedule& before, const Edit& edit) {
    if (!is_move(edit.kind)) return field_edit(edit.kind, edit.instr, edit.after, edit.before);
    const Position p = before.position_of(edit.instr);
    const Block& block = before.kernel()->flow().blocks[before.kernel()->block_of(edit.instr)];
    if (p > block.first) return move_edit(EditKind::MoveAfter, edit.instr, before.at(p - 1));
    return move_edit(EditKind::MoveBefore, edit.instr, before.at(p + 1));
}

// Indices in `sequence` of a longest strictly increasing subsequence.
std::vector<bool> longest_increasing(const std::vector<Position>& sequence) {
    std::vector<std::size_t> tails, previous(sequence.size(), sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        const auto slot =
            std::lower_bound(tails.begin(), tails.end(), sequence[i],
                             [&](std::size_t t, Position value) { return sequence[t] < value; });
        if (slot != tails.begin()) previous[i] = *(slot - 1);
        if (slot == tails.end())
            tails.push_back(i);
        else
            *slot = i;
    }
    std::vector<bool> keeps(sequence.size(), false);
    for (std::size_t i = tails.empty() ? sequence.size() : tails.back(); i < sequence.size(); i = previous[i])
        keeps[i] = true;
    return keeps;
}

void add_block_moves(const Block& block, const Schedule& from, const Schedule& to, std::vector<Edit>& edits) {
    if (std::equal(from.order().begin() + block.first, from.order().begin() + block.end(),
                   to.order().begin() + block.first))
        return;
    std::vector<Position> sequence;
    for (Position p = block.first; p < block.end(); ++p)
        sequence.push_back(from.position_of(to.at(p)));
    const std::vector<bool> keeps = longest_increasing(sequence);
    const auto first_kept =
        static_cast<Position>(std::find(keeps.begin(), keeps.end(), true) - keeps.begin());
    for (Position i = 0; i < sequence.size(); ++i) {
        if (keeps[i]) continue;
        const InstrId id = to.at(block.first + i);
        if (i == 0)
            edits.push_back(move_edit(EditKind::MoveBefore, id, to.at(block.first + first_kept)));
        else
            edits.push_back(move_edit(EditKind::MoveAfter, id, to.at(block.first + i - 1)));
    }
}

}  // namespace

Mutation Mutation::move_before(InstrId id, InstrId anchor) {
    return {{move_edit(EditKind::MoveBefore, id, anchor)}};
}
Mutation Mutation::move_after(InstrId id, InstrId anchor) {
    return {{move_edit(EditKind::MoveAfter, id, anchor)}};
}

Mutation Mutation::move_to(const Schedule& schedule, InstrId id, Position to) {
    return to < schedule.position_of(id) ? move_before(id, schedule.at(to)) : move_after(id, schedule.at(to));
}

Mutation Mutation::field(const Schedule& schedule, const FieldKind& kind, InstrId id, FieldBits after) {
    return {{field_edit(kind.kind, id, schedule.field(kind, id), after)}};
}

Mutation Mutation::control(const Schedule& schedule, InstrId id, const ControlCode& after) {
    return field(schedule, kControlField, id, after.bits());
}

Status Mutation::apply(Schedule& schedule) const {
    if (!start.empty()) return fail(ErrorCode::Refused, "another compilation is not an edit of a schedule");
    std::vector<Edit> undo;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (auto ok = check(schedule, edits[i]); !ok) {
            for (auto edit = undo.rbegin(); edit != undo.rend(); ++edit)
                perform(schedule, *edit);
            return fail(ErrorCode::Refused, ok.error().what,
                        edits.size() == 1 ? "" : fmt::format("edit {} of {}", i + 1, edits.size()));
        }
        if (edits.size() > 1) undo.push_back(inverse_edit(schedule, edits[i]));
        perform(schedule, edits[i]);
    }
    return {};
}

Result<Schedule> Mutation::applied(const Schedule& schedule) const {
    Schedule out = schedule;
    TRY(apply(out));
    return out;
}

Result<Mutation> Mutation::inverse(const Schedule& before) const {
    Mutation out;
    if (edits.size() == 1) {
        TRY(check(before, edits[0]));
        out.edits.push_back(inverse_edit(before, edits[0]));
        return out;
    }
    Schedule state = before;
    for (const Edit& edit : edits) {
        TRY(check(state, edit));
        out.edits.push_back(inverse_edit(state, edit));
        perform(state, edit);
    }
    std::reverse(out.edits.begin(), out.edits.end());
    return out;
}

Mutation difference(const Schedule& from, const Schedule& to) {
    Mutation out;
    for (const Block& block : from.kernel()->flow().blocks)
        add_block_moves(block, from, to, out.edits);
    for (const FieldKind* kind : kFieldKinds) {
        if (kind != &kControlField && !from.changes_code() && !to.changes_code()) continue;
        for (InstrId id = 0; id < from.size(); ++id)
            if (const FieldBits before = from.field(*kind, id), after = to.field(*kind, id); before != after)
                out.edits.push_back(field_edit(kind->kind, id, before, after));
    }
    return out;
}

}  // namespace cubinlab
