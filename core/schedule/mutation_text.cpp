// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and kinds of mutations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <optional>

#include "core/base/number_of.h"
#include "core/schedule/mutation.h"

namespace cubinlab {
namespace {

std::string name_of(const Kernel& kernel, InstrId id) {
    return fmt::format("{} 0x{:04x}", id < kernel.size() ? kernel.instruction(id).mnemonic : "?",
                       id * kWordBytes);
}

std::string edit_text(const Kernel& kernel, const Edit& edit) {
    if (!is_move(edit.kind)) {
        const std::vector<std::string> changes = change_texts(edit.kind, edit.before, edit.after);
        return fmt::format("{}: {}", name_of(kernel, edit.instr),
                           changes.empty() ? "no change" : fmt::format("{}", fmt::join(changes, ", ")));
    }
    return fmt::format("move {} {} {}", name_of(kernel, edit.instr),
                       edit.kind == EditKind::MoveBefore ? "before" : "after", name_of(kernel, edit.anchor));
}

using Kinds = std::uint32_t;  // bit i: MutationKind i
constexpr Kinds bit(MutationKind kind) {
    return 1u << static_cast<unsigned>(kind);
}

// What an edit of a field changes.
Kinds changed_kinds(const Edit& edit) {
    Kinds out = 0;
    for (const FieldPart& part : field_of(edit.kind).parts)
        if (((edit.before ^ edit.after) & part.mask) != 0) out |= bit(part.kind);
    return out;
}

bool changes_only(const Edit& edit, MutationKind kind) {
    return !is_move(edit.kind) && changed_kinds(edit) == bit(kind);
}

// "paying 3 cycles on IADD3 0x0970"
std::string price_text(const Kernel& kernel, const Edit& edit) {
    const int change = edit.control_after().stall - edit.control_before().stall;
    return fmt::format("{} {} on {}", change > 0 ? "paying" : "refunding",
                       number_of(std::abs(change), "cycle"), name_of(kernel, edit.instr));
}

// A wait moves from the instruction of the first edit to that of the second.
std::optional<std::string> moved_wait_text(const Kernel& kernel, const Mutation& mutation) {
    if (mutation.edits.size() != 2 || !changes_only(mutation.edits[0], MutationKind::Wait) ||
        !changes_only(mutation.edits[1], MutationKind::Wait))
        return std::nullopt;
    const Edit& from = mutation.edits[0];
    const Edit& to = mutation.edits[1];
    const unsigned cleared = from.control_before().wait_mask ^ from.control_after().wait_mask;
    const unsigned set = to.control_before().wait_mask ^ to.control_after().wait_mask;
    if (cleared != set || std::popcount(set) != 1 || (from.control_before().wait_mask & set) == 0 ||
        (to.control_after().wait_mask & set) == 0 || from.instr == to.instr)
        return std::nullopt;
    return fmt::format("the wait for SB{} goes from {} to {}", std::countr_zero(set),
                       name_of(kernel, from.instr), name_of(kernel, to.instr));
}

// A barrier changes together with its waits.
std::optional<std::string> reassign_text(const Kernel& kernel, const Mutation& mutation) {
    if (mutation.edits.size() < 2 || is_move(mutation.edits[0].kind) ||
        (changed_kinds(mutation.edits[0]) & bit(MutationKind::Barrier)) == 0)
        return std::nullopt;
    std::string waits;
    for (std::size_t i = 1; i < mutation.edits.size(); ++i) {
        if (!changes_only(mutation.edits[i], MutationKind::Wait)) return std::nullopt;
        waits += (i == 1 ? "" : ", ") + name_of(kernel, mutation.edits[i].instr);
    }
    return fmt::format("{}; its waits follow: {}", edit_text(kernel, mutation.edits[0]), waits);
}

}  // namespace

std::vector<std::string> change_texts(EditKind kind, FieldBits before, FieldBits after) {
    std::vector<std::string> out;
    if (is_move(kind)) return out;
    for (const FieldPart& part : field_of(kind).parts)
        if (((before ^ after) & part.mask) != 0) out.push_back(part.text(before, after));
    return out;
}

std::vector<std::string> change_labels(EditKind kind, FieldBits before, FieldBits after) {
    std::vector<std::string> out;
    if (is_move(kind)) return out;
    for (const FieldPart& part : field_of(kind).parts)
        if (((before ^ after) & part.mask) != 0) out.push_back(part.label(before, after));
    return out;
}

MutationKind Mutation::kind() const {
    if (!start.empty()) return MutationKind::Start;
    bool moves = false;
    Kinds changed = 0;
    for (const Edit& edit : edits) {
        moves = moves || is_move(edit.kind);
        if (!is_move(edit.kind)) changed |= changed_kinds(edit);
    }
    if (moves && changed == 0) return MutationKind::Move;
    if (moves) return changed == bit(MutationKind::Stall) ? MutationKind::MoveAndPay : MutationKind::Mixed;
    if (changed == (bit(MutationKind::Barrier) | bit(MutationKind::Wait))) return MutationKind::Reassign;
    if (std::popcount(changed) != 1) return MutationKind::Mixed;
    return static_cast<MutationKind>(std::countr_zero(changed));
}

std::string Mutation::text(const Kernel& kernel) const {
    if (!start.empty()) return "the code of start " + start;
    if (edits.empty()) return "nothing";
    if (auto text = moved_wait_text(kernel, *this)) return *text;
    if (auto text = reassign_text(kernel, *this)) return *text;
    std::string out;
    bool priced = false;  // stall changes after other edits are the cost of those edits
    for (const Edit& edit : edits) {
        const bool price = !out.empty() && changes_only(edit, MutationKind::Stall) &&
                           (priced || is_move(edits.front().kind));
        if (!out.empty()) out += price ? ", " : "; ";
        out += price ? price_text(kernel, edit) : edit_text(kernel, edit);
        priced = price;
    }
    return out;
}

}  // namespace cubinlab
