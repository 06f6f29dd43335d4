// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/legality/finding.h"
#include "core/legality/register_access.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

// "LDG 0x0120": byte offset in the ORIGINAL kernel, so names do not change when instructions move.
std::string name_of(InstrId id, const Schedule& schedule) {
    if (id == kNone) return "unknown code";
    return fmt::format("{} 0x{:04x}", schedule.kernel()->instruction(id).mnemonic, id * kWordBytes);
}

std::string resource_of(const Finding& f) {
    if (f.reg < kTrackedCount) return reg_name(f.reg);
    if (f.scoreboard >= 0) return fmt::format("SB{}", f.scoreboard);
    return f.resource ? f.resource : "order";
}

std::string_view barrier_pair(const Finding& f, const Schedule& schedule) {
    if (f.reg == kGroupReg) return "a wgmma to the WARPGROUP.DEPBAR that waits for its group";
    if (f.reg == kInvalidateReg) return "CCTL.IVALL to the next memory operation";
    if (f.reg == kArriveReg) return "WARPGROUP.ARRIVE to the next wgmma";
    if (latency::is_named(schedule.kernel()->instruction(f.later), "UCGABAR_WAIT"))
        return "a barrier to the second half of a cluster's";
    return "a barrier to the next memory operation";
}

// "WAR on R28": the hazard of a pair of instructions in program order. Without a register, what orders them.
std::string hazard_of(const Finding& f, const Schedule& schedule) {
    const auto on = [&](const char* kind) { return fmt::format("{} on {}", kind, resource_of(f)); };
    switch (f.rule) {
        case Rule::RawDistance:
        case Rule::RawScoreboard:
            return on("RAW");
        case Rule::WarDistance:
        case Rule::WarScoreboard:
            return on("WAR");
        case Rule::WawDistance:
        case Rule::WawScoreboard:
            return on("WAW");
        default:
            break;
    }
    if (f.reg >= kRegCount || f.earlier == kNone || f.later == kNone) return on("Order");
    const auto has = [&](const auto& bits) { return (bits[f.reg / 64] >> (f.reg % 64) & 1) != 0; };
    const Footprint first = Footprint::of(schedule.kernel()->instruction(f.earlier)),
                    second = Footprint::of(schedule.kernel()->instruction(f.later));
    if (has(first.writes) && has(second.reads)) return on("RAW");
    if (has(first.reads) && has(second.writes)) return on("WAR");
    return on(has(first.writes) && has(second.writes) ? "WAW" : "Order");
}

std::string distance_text(const Finding& f, const Schedule& schedule, const std::string& a,
                          const std::string& b) {
    if (f.clause == Clause::BarrierToMemory)
        return fmt::format(
            "{} -> {}: {} cycles needed from {}, {} there; raise a stall count between them by {}", a, b,
            f.need, barrier_pair(f, schedule), f.have, f.need - f.have);
    if (f.clause == Clause::UnknownCode)
        return fmt::format(
            "{}: code that is not known follows or precedes here, and the original keeps {} cycles of "
            "it away, this schedule {}; keep the distance",
            f.earlier == kNone ? b : a, f.need, f.have);
    const char* source = f.clause == Clause::ShorterThanOriginal
                             ? "no table covers this pair, so the original's distance holds: "
                             : "";
    return fmt::format(
        "{}: {}{} -> {} needs {} cycles, has {}; raise the stall count of {} or of an instruction after it "
        "by {}",
        hazard_of(f, schedule), source, a, b, f.need, f.have, a, f.need - f.have);
}

std::string scoreboard_text(const Finding& f, const Schedule& schedule, const std::string& a,
                            const std::string& b) {
    if (f.earlier == kNone)
        return fmt::format(
            "{}: the original waits for SB{} first, which code before this block may have set; keep "
            "the wait before it",
            b, f.scoreboard);
    const ControlCode& control = schedule.control(f.earlier);
    const bool reads = f.rule == Rule::WarScoreboard;
    const int barrier = reads && control.read_barrier < 6 ? control.read_barrier : control.write_barrier;
    const std::string what = reads ? "may not have read" : "may not have written";
    std::string text =
        fmt::format("{}: {} {} it when {} issues: no wait on every path between them proves it; ",
                    hazard_of(f, schedule), a, what, b);
    if (barrier < 6)
        text += fmt::format("let {} or an instruction before it wait for SB{}", b, barrier);
    else
        text += fmt::format("give {} a {} barrier and let {} wait for it", a, reads ? "read" : "write", b);
    return text;
}

std::string left_text(const Finding& f, const std::string& a, const std::string& b) {
    const char* what =
        f.rule == Rule::WarScoreboard ? "may not have read its operands" : "may not have written";
    if (f.scoreboard < 0)
        return fmt::format(
            "{} {} when {} leaves for code that is not known, and no barrier stands for it: nothing there "
            "can wait "
            "for it; give it one or wait for it before",
            a, what, b);
    return fmt::format(
        "{} {} when {} leaves for code that is not known, which waits for it by SB{} in the original: that "
        "has to "
        "stand for it; give {} that barrier back or wait for it before",
        a, what, b, f.scoreboard, a);
}

std::string reuse_text(const Finding& f, const std::string& a, const std::string& b) {
    const char slot = static_cast<char>('a' + f.scoreboard);
    const std::string head =
        fmt::format("{} keeps {} for reuse in operand slot {}, ", a, resource_of(f), slot);
    const char* tail = "; clear the reuse flag or restore the order";
    switch (f.clause) {
        case Clause::ReuseWritten:
            return head + fmt::format("but {} writes it before it is read again", b) + tail;
        case Clause::ReuseReplaced:
            return head + fmt::format("but {} reads another register of that slot and bank first", b) + tail;
        case Clause::ReuseNoOperand:
            return fmt::format("{} has no register in operand slot {}; clear the flag", a, slot);
        default:
            return head + "but no instruction of its block surely reads it in that slot within 12" + tail;
    }
}

std::string stall_text(const Finding& f, const std::string& a) {
    switch (f.clause) {
        case Clause::StallTwelve:
            return fmt::format(
                "{}: a stall count of {} without yield holds the warp for one or two cycles only; "
                "request yield (bit 109 = 0) or lower the stall count below 12",
                a, f.have);
        case Clause::StallZero:
            return fmt::format("{}: stall 0 is allowed only where the original has it; use 1 or more", a);
        default:
            return fmt::format(
                "{}: yield with a stall count of 1 is nothing the compiler ever emits, and its effect "
                "is measured on sm_90 alone; use a stall count of 2 or clear yield",
                a);
    }
}

// The reason of the first field that the instruction cannot have.
std::string field_refusal(const Schedule& schedule, InstrId id) {
    const Kernel& kernel = *schedule.kernel();
    for (const FieldKind* kind : kFieldKinds)
        if (kind->refusal != nullptr)
            if (std::string why =
                    kind->refusal(kernel.arch(), kernel.instruction(id), schedule.field(*kind, id));
                !why.empty())
                return why;
    return {};
}

std::string text_of(const Finding& f, const Schedule& schedule) {
    const std::string a = name_of(f.earlier, schedule);
    const std::string b = name_of(f.later, schedule);
    const std::string resource = resource_of(f);
    switch (f.rule) {
        case Rule::RawDistance:
        case Rule::WarDistance:
        case Rule::WawDistance:
            return distance_text(f, schedule, a, b);
        case Rule::RawScoreboard:
        case Rule::WarScoreboard:
        case Rule::WawScoreboard:
            if (f.clause == Clause::BarrierNotAllowed)
                return fmt::format("{}: a barrier on this instruction would track nothing; clear it", a);
            if (f.clause == Clause::LeftPending) return left_text(f, a, b);
            return scoreboard_text(f, schedule, a, b);
        case Rule::SetToWait:
            return fmt::format(
                "{} sets {} and {} waits for it {} cycle(s) later: 2 needed, a wait sooner does not see "
                "it; raise the stall count of {}",
                a, resource, b, f.have, a);
        case Rule::IssueFloor:
            if (f.later != kNone) return distance_text(f, schedule, a, b);
            return fmt::format("{}: needs stall count {}, has {}; raise it", a, f.need, f.have);
        case Rule::MemoryOrder:
            return fmt::format("{} and {} may touch the same bytes ({}) and changed order; keep {} first", a,
                               b, resource, a);
        case Rule::FenceOrder:
            if (f.clause == Clause::NotAwaited)
                return fmt::format(
                    "{} accesses memory or orders it while {} may not be complete: the original waits for "
                    "that "
                    "first, on every path; let {} or an instruction between the two wait for its barrier",
                    b, a, b);
            return fmt::format(
                "{} and {} changed order, and one of them is a fence, barrier or marker; keep {} first", a, b,
                a);
        case Rule::AsyncGroup:
            if (f.clause == Clause::NotRetired)
                return fmt::format(
                    "{} may still run when {} touches {}: no WARPGROUP.DEPBAR on every path between them "
                    "retires "
                    "its group; wait for the group first (WARPGROUP.DEPBAR.LE gsb0, N with N below the "
                    "number of "
                    "groups committed since)",
                    a, b, resource);
            if (f.clause == Clause::BarrierFrozen)
                return fmt::format("{}: its barriers count asynchronous work and stay as they are", a);
            return fmt::format(
                "{} and {} changed order ({}): asynchronous work is counted in program order; keep {} "
                "first",
                a, b, resource, a);
        case Rule::WarpOrder:
            return fmt::format(
                "{} and {} changed order: lanes may differ on the two sides of a convergence point; "
                "keep {} first",
                a, b, a);
        case Rule::Reuse:
            return reuse_text(f, a, b);
        case Rule::StallYield:
            return stall_text(f, a);
        case Rule::Pinned:
            if (f.clause == Clause::Unproven)
                return fmt::format(
                    "{} is part of a pair whose completion the original's own waits do not prove; it keeps "
                    "its place, barriers, waits and at least its stall count",
                    a);
            if (f.clause == Clause::Workaround)
                return fmt::format(
                    "{} is one of the dummy loads that the compiler puts in front of a copy for the "
                    "hardware's "
                    "sake; they stay together, right in front of it, with their stall counts",
                    a);
            return fmt::format("{} cannot be moved: {}", a, schedule.kernel()->pin_reason(f.earlier));
        case Rule::Dependence:
            return fmt::format("{}: {} must stay before {}", hazard_of(f, schedule), a, b);
        case Rule::Structure:
            return fmt::format("{} is not in the block it belongs to", a);
        case Rule::Field:
            return fmt::format("{}: {}", a, field_refusal(schedule, f.earlier));
        case Rule::UnknownOpcode:
            return fmt::format("{} and {} changed order, and one of them cannot be decoded; keep {} first", a,
                               b, a);
    }
    return {};
}

}  // namespace

Hazard explain(const Finding& finding, const Schedule& schedule) {
    return {finding.rule,         finding.earlier,           finding.later, finding.need, finding.have,
            resource_of(finding), text_of(finding, schedule)};
}

}  // namespace cubinlab
