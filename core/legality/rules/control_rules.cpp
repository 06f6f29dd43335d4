// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/control_rules.h"

#include <algorithm>

#include "core/legality/rules/acquire_rule.h"
#include "core/legality/rules/awaited_rule.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

// Their barriers count asynchronous work or signal other threads.
bool frozen_barriers(const Instruction& i) {
    return i.unit == Unit::Depbar || i.unit == Unit::AsyncGroup || i.unit == Unit::Gmma ||
           i.unit == Unit::Barrier || i.unit == Unit::Fence || i.unit == Unit::Nop ||
           i.unit == Unit::Unknown || i.has(Trait::UnknownOpcode) || i.has(Trait::ScoreboardByName);
}

bool writes_register(const Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& o) { return o.write; });
}

// ptxas at every optimisation level: RET and BRX at least 5 (688 cases), CALL 5 on sm_75 and sm_90 (242;
// sm_80 has 1 in four of 467), WARPSYNC, NANOSLEEP and YIELD of sm_90 at least 5 (1,072). Others may have 1.
int control_floor(const Arch& arch, const Instruction& i) {
    constexpr int kFloor = 5;
    const auto any_of = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) { return latency::is_named(i, name); });
    };
    if (any_of({"RET", "BRX"})) return kFloor;
    if (any_of({"CALL"})) return arch.sm < 80 || arch.sm >= 90 ? kFloor : 0;
    return arch.sm >= 90 && any_of({"WARPSYNC", "NANOSLEEP", "YIELD"}) ? kFloor : 0;
}

bool reads_vector_register(const Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [](const Operand& o) { return o.read && o.file == RegFile::Gpr; });
}

}  // namespace

ControlRules::ControlRules(const Kernel& kernel, CheckMode mode, const ScoreboardProof& scoreboards)
    : kernel_(kernel), mode_(mode), scoreboards_(scoreboards) {
    for (InstrId id = 0; id < kernel.size(); ++id)
        floors_.push_back(static_cast<std::uint8_t>(floor_of(id)));
}

int ControlRules::floor_of(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    const int original = i.control().stall;
    const int floor = stall_floor(kernel_.arch(), i);
    // ptxas 13 emits BAR for sm_75 with 1 cycle if the next instruction is not ordered by it; ordered
    // instructions have distances of their own.
    const bool bar = latency::is_named(i, "BAR");
    // A WARPSYNC that ends the block before a change of the register count; see also IssueSpacing.
    if (mode_ == CheckMode::AgainstOriginal && id + 1 < kernel_.size() &&
        changes_register_count(kernel_.instruction(id + 1)) &&
        kernel_.block_of(id) != kernel_.block_of(id + 1))
        return std::max(std::min(floor, original), std::min(original, kBeforeRegisterCount));
    if (floor > 0) return mode_ == CheckMode::AgainstOriginal ? std::min(floor, original) : bar ? 0 : floor;
    // ptxas: CGAERRBAR has 6, 8 or 15 in each of 141 cases.
    if (mode_ == CheckMode::Absolute) {
        if (invalidates_cache(i)) return invalidate_floor(kernel_.arch());
        if (i.unit == Unit::Cbu) return control_floor(kernel_.arch(), i);
        return latency::is_named(i, "CGAERRBAR") ? 6 : 0;
    }
    // No figure is known: keeps that of the original, up to the floor of a branch.
    if (i.unit == Unit::Cbu) return std::min(original, 5);
    if (i.unit == Unit::Fence || i.unit == Unit::AsyncGroup || i.unit == Unit::Gmma ||
        i.has(Trait::UnknownOpcode) || latency::is_named(i, "CCTL") || latency::is_named(i, "NANOSLEEP"))
        return original;
    // Cluster barrier: UCGABAR_ARV with 1 cycle instead of 6 faulted on an H100.
    if (i.unit == Unit::Barrier && !latency::is_named(i, "BAR")) return original;
    return 0;
}

bool ControlRules::stall_and_yield(InstrId id, const ControlCode& control, Findings& findings) const {
    const ControlCode original = kernel_.instruction(id).control();
    const bool against = mode_ == CheckMode::AgainstOriginal;
    const bool as_original = against && control.stall == original.stall && control.yield == original.yield;
    if (as_original) return false;
    if (control.stall >= 12 && !control.yield &&
        findings.add({Rule::StallYield, Clause::StallTwelve, id, kNone, 0, control.stall}))
        return true;
    if (control.stall == 0 && (against || !control.yield) &&
        findings.add({Rule::StallYield, Clause::StallZero, id, kNone, 1, 0}))
        return true;
    // sm_90: measured in a million trials, never shorter than one cycle; unknown for others.
    if (kernel_.arch().sm >= 90) return false;
    // Absolute mode accepts compiled code: ptxas 13 emits it for sm_86 (IMAD).
    return against && control.yield && control.stall == 1 &&
           findings.add({Rule::StallYield, Clause::YieldAtOne, id, kNone, 2, 1});
}

bool ControlRules::barriers(InstrId id, const ControlCode& control, Findings& findings) const {
    const Instruction& i = kernel_.instruction(id);
    const ControlCode original = i.control();
    const bool write_changed = control.write_barrier != original.write_barrier;
    const bool read_changed = control.read_barrier != original.read_barrier;
    // No wait covers a group of copies without a scoreboard.
    if (mode_ == CheckMode::Absolute && lacks_counted_scoreboard(i, control))
        return findings.add({Rule::AsyncGroup, Clause::BarrierFrozen, id});
    if (!write_changed && !read_changed) return false;
    if (frozen_barriers(i)) return findings.add({Rule::AsyncGroup, Clause::BarrierFrozen, id});
    const auto out_of_range = [](std::uint8_t b) { return b != kNoBarrier && b >= kScoreboards; };
    const bool new_write = write_changed && control.write_barrier != kNoBarrier;
    const bool new_read = read_changed && control.read_barrier != kNoBarrier;
    const bool known =
        scoreboards_.may_set(id) && (i.has(Trait::VariableLatency) || original.write_barrier != kNoBarrier ||
                                     original.read_barrier != kNoBarrier);
    const bool had_write = original.write_barrier != kNoBarrier;
    const bool had_read = original.read_barrier != kNoBarrier;
    if (out_of_range(control.write_barrier) || (new_write && !had_write && !(known && writes_register(i))))
        return findings.add({Rule::RawScoreboard, Clause::BarrierNotAllowed, id});
    if (out_of_range(control.read_barrier) || (new_read && !had_read && !(known && reads_vector_register(i))))
        return findings.add({Rule::WarScoreboard, Clause::BarrierNotAllowed, id});
    return false;
}

bool ControlRules::check(InstrId id, const ControlCode& control, Findings& findings) const {
    if (stall_and_yield(id, control, findings) || barriers(id, control, findings)) return true;
    const Instruction& i = kernel_.instruction(id);
    if (i.has(Trait::UnknownOpcode) && !(control == i.control()))
        return findings.add({Rule::UnknownOpcode, Clause::Plain, id, id});
    // On texture instructions these bits mark a batch and cannot be cleared either.
    const bool batch = i.unit == Unit::Tex && control.reuse != i.control().reuse;
    if (batch || ((control.reuse & ~i.control().reuse) != 0 && control.reuse > 7))
        return findings.add({Rule::Reuse, Clause::ReuseNoOperand, id, kNone, 0, 0, kTrackedCount, 3});
    const int floor = floors_[id];
    return control.stall < floor && effective_stall(control) < floor &&
           findings.add({Rule::IssueFloor, Clause::Plain, id, kNone, floor, control.stall});
}

}  // namespace cubinlab
