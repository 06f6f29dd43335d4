// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and kinds of mutations.
#include <fmt/format.h>

#include <bit>
#include <optional>

#include "core/base/enum_names.h"
#include "core/base/number_of.h"
#include "core/schedule/mutation.h"

namespace cubinlab {
namespace {

std::string barrier_text(std::uint8_t barrier) {
    return barrier == kNoBarrier ? "none" : std::to_string(barrier);
}

std::string control_text(const ControlCode& a, const ControlCode& b) {
    std::string out;
    auto add = [&](std::string part) { out += (out.empty() ? "" : ", ") + std::move(part); };
    if (a.stall != b.stall) add(fmt::format("stall {} -> {}", a.stall, b.stall));
    if (a.yield != b.yield) add(b.yield ? "yield on" : "yield off");
    if (a.write_barrier != b.write_barrier)
        add(fmt::format("write barrier {} -> {}", barrier_text(a.write_barrier),
                        barrier_text(b.write_barrier)));
    if (a.read_barrier != b.read_barrier)
        add(fmt::format("read barrier {} -> {}", barrier_text(a.read_barrier), barrier_text(b.read_barrier)));
    if (a.wait_mask != b.wait_mask)
        add(fmt::format("wait mask 0x{:02x} -> 0x{:02x}", a.wait_mask, b.wait_mask));
    if (a.reuse != b.reuse) add(fmt::format("reuse 0x{:x} -> 0x{:x}", a.reuse, b.reuse));
    return out.empty() ? "no change" : out;
}

std::string name_of(const Kernel& kernel, InstrId id) {
    return fmt::format("{} 0x{:04x}", id < kernel.size() ? kernel.instruction(id).mnemonic : "?",
                       id * kWordBytes);
}

std::string edit_text(const Kernel& kernel, const Edit& edit) {
    if (edit.kind == EditKind::Control)
        return fmt::format("{}: {}", name_of(kernel, edit.instr), control_text(edit.before, edit.after));
    return fmt::format("move {} {} {}", name_of(kernel, edit.instr),
                       edit.kind == EditKind::MoveBefore ? "before" : "after", name_of(kernel, edit.anchor));
}

struct Changes {
    bool stall = false, yield = false, barrier = false, wait = false, reuse = false;
    int count() const { return stall + yield + barrier + wait + reuse; }
};

Changes changes_of(const Edit& edit) {
    const ControlCode& a = edit.before;
    const ControlCode& b = edit.after;
    return {a.stall != b.stall, a.yield != b.yield,
            a.write_barrier != b.write_barrier || a.read_barrier != b.read_barrier,
            a.wait_mask != b.wait_mask, a.reuse != b.reuse};
}

bool stall_only(const Edit& edit) {
    const Changes changes = changes_of(edit);
    return edit.kind == EditKind::Control && changes.stall && changes.count() == 1;
}

bool waits_only(const Edit& edit) {
    const Changes changes = changes_of(edit);
    return edit.kind == EditKind::Control && changes.wait && changes.count() == 1;
}

// "paying 3 cycles on IADD3 0x0970"
std::string price_text(const Kernel& kernel, const Edit& edit) {
    const int change = edit.after.stall - edit.before.stall;
    return fmt::format("{} {} on {}", change > 0 ? "paying" : "refunding",
                       number_of(std::abs(change), "cycle"), name_of(kernel, edit.instr));
}

// A wait moves from the instruction of the first edit to that of the second.
std::optional<std::string> moved_wait_text(const Kernel& kernel, const Mutation& mutation) {
    if (mutation.edits.size() != 2 || !waits_only(mutation.edits[0]) || !waits_only(mutation.edits[1]))
        return std::nullopt;
    const Edit& from = mutation.edits[0];
    const Edit& to = mutation.edits[1];
    const unsigned cleared = from.before.wait_mask ^ from.after.wait_mask;
    const unsigned set = to.before.wait_mask ^ to.after.wait_mask;
    if (cleared != set || std::popcount(set) != 1 || (from.before.wait_mask & set) == 0 ||
        (to.after.wait_mask & set) == 0 || from.instr == to.instr)
        return std::nullopt;
    return fmt::format("the wait for SB{} goes from {} to {}", std::countr_zero(set),
                       name_of(kernel, from.instr), name_of(kernel, to.instr));
}

// A barrier changes together with its waits.
std::optional<std::string> reassign_text(const Kernel& kernel, const Mutation& mutation) {
    if (mutation.edits.size() < 2 || mutation.edits[0].kind != EditKind::Control ||
        !changes_of(mutation.edits[0]).barrier)
        return std::nullopt;
    std::string waits;
    for (std::size_t i = 1; i < mutation.edits.size(); ++i) {
        if (!waits_only(mutation.edits[i])) return std::nullopt;
        waits += (i == 1 ? "" : ", ") + name_of(kernel, mutation.edits[i].instr);
    }
    return fmt::format("{}; its waits follow: {}", edit_text(kernel, mutation.edits[0]), waits);
}

MutationKind kind_of(const Changes& changes) {
    if (changes.count() != 1)
        return changes.count() == 2 && changes.barrier && changes.wait ? MutationKind::Reassign
                                                                       : MutationKind::Mixed;
    if (changes.stall) return MutationKind::Stall;
    if (changes.yield) return MutationKind::Yield;
    if (changes.barrier) return MutationKind::Barrier;
    return changes.wait ? MutationKind::Wait : MutationKind::Reuse;
}

}  // namespace

const char* to_string(MutationKind kind) {
    return enum_name<MutationKind::Start>({"move", "stall", "yield", "barrier", "wait", "reuse", "mixed",
                                           "move-and-pay", "reassign", "start"},
                                          kind, "unknown");
}

MutationKind Mutation::kind() const {
    if (!start.empty()) return MutationKind::Start;
    bool moves = false;
    Changes all;
    for (const Edit& edit : edits) {
        if (edit.kind != EditKind::Control) {
            moves = true;
            continue;
        }
        const Changes one = changes_of(edit);
        all = {all.stall || one.stall, all.yield || one.yield, all.barrier || one.barrier,
               all.wait || one.wait, all.reuse || one.reuse};
    }
    if (!moves) return kind_of(all);
    if (all.count() == 0) return MutationKind::Move;
    return all.count() == 1 && all.stall ? MutationKind::MoveAndPay : MutationKind::Mixed;
}

std::string Mutation::text(const Kernel& kernel) const {
    if (!start.empty()) return "the code of start " + start;
    if (edits.empty()) return "nothing";
    if (auto text = moved_wait_text(kernel, *this)) return *text;
    if (auto text = reassign_text(kernel, *this)) return *text;
    std::string out;
    bool priced = false;  // stall changes after other edits are the cost of those edits
    for (const Edit& edit : edits) {
        const bool price =
            !out.empty() && stall_only(edit) && (priced || edits.front().kind != EditKind::Control);
        if (!out.empty()) out += price ? ", " : "; ";
        out += price ? price_text(kernel, edit) : edit_text(kernel, edit);
        priced = price;
    }
    return out;
}

}  // namespace cubinlab
