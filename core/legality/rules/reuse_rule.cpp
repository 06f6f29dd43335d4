// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/reuse_rule.h"

#include <algorithm>

namespace cubinlab {

namespace {

bool uses_cache(const Instruction& i) {
    return i.unit == Unit::Alu || i.unit == Unit::Fma || i.unit == Unit::FmaWide;
}

// A read of the register by one of these uses the entry and ends it. Measured on sm_90: HFMA2.MMA, FP64 and
// tensor reads do neither.
bool ends_entry(const Instruction& i) {
    return uses_cache(i) || i.unit == Unit::Fp16;
}

bool reads_a(const Instruction& i, unsigned reg) {
    return std::ranges::any_of(i.operands, [&](const Operand& o) {
        return o.read && o.file == RegFile::Gpr && o.role == Role::A && o.first == reg;
    });
}

bool fixed_latency(const Instruction& i) {
    constexpr UnitSet kArithmetic(Unit::Alu, Unit::Fma, Unit::FmaWide, Unit::Fp16, Unit::H2Mma, Unit::Fp64);
    return kArithmetic.has(i.unit) || kMmaUnits.has(i.unit);
}

}  // namespace

ReuseRule::ReuseRule(const Schedule& original, CheckMode mode)
    : kernel_(*original.kernel()),
      alone_(mode == CheckMode::Absolute),
      slots_(kernel_.size()),
      exceptions_(kernel_.size(), 0) {
    for (InstrId id = 0; id < kernel_.size(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        if (!fixed_latency(i)) continue;
        for (const Operand& o : i.operands) {
            if (o.file != RegFile::Gpr || !o.read) continue;
            const int slot = o.role == Role::A ? 0 : o.role == Role::B ? 1 : o.role == Role::C ? 2 : -1;
            if (slot >= 0) slots_[id][static_cast<std::size_t>(slot)] = {o.first, o.count};
        }
    }
    const auto order = [&](Position p) { return original.at(p); };
    for (const Block& block : kernel_.flow().blocks)
        for (Position p = block.first; p < block.end(); ++p)
            for (int slot = 0; slot < 3; ++slot)
                if ((original.control(p).reuse >> slot & 1) != 0 && walk(order, block, p, slot))
                    exceptions_[p] = static_cast<std::uint8_t>(exceptions_[p] | 1u << slot);
}

bool ReuseRule::writes(InstrId id, const SlotRead& read) const {
    for (const Operand& o : kernel_.instruction(id).operands)
        if (o.write && o.file == RegFile::Gpr && o.first < read.first + read.count &&
            read.first < o.first + o.count)
            return true;
    return false;
}

bool ReuseRule::keeps_entry(InstrId id, int slot) const {
    return has_slot(id, slot) && ends_entry(kernel_.instruction(id));
}

ReuseRule::Effect ReuseRule::entry_after(InstrId flagged, int slot, InstrId next) const {
    const SlotRead& kept = slots_[flagged][static_cast<std::size_t>(slot)];
    // On sm_90 R2UR uses the entry: 2,006 flags of compiled code; after two the register is written and read.
    const Instruction& following = kernel_.instruction(next);
    if (slot == 0 && following.unit == Unit::R2ur && kernel_.arch().sm >= 90 &&
        reads_a(following, kept.first))
        return Effect::Hit;
    if (keeps_entry(next, slot)) {
        const SlotRead& read = slots_[next][static_cast<std::size_t>(slot)];
        if (read.first == kept.first) return Effect::Hit;
        if (read.count > 1 || kept.count > 1 || (read.first & 1) == (kept.first & 1)) return Effect::Replaced;
    }
    return writes(next, kept) ? Effect::Written : Effect::None;
}

bool ReuseRule::same_guard(InstrId a, InstrId b) const {
    const Instruction& x = kernel_.instruction(a);
    const Instruction& y = kernel_.instruction(b);
    return x.guard == y.guard && x.guard_negated == y.guard_negated && x.uniform_guard == y.uniform_guard;
}

bool ReuseRule::writes_guard_of(InstrId guarded, InstrId id) const {
    const Instruction& i = kernel_.instruction(guarded);
    if (!i.guarded()) return false;
    const RegFile file = i.uniform_guard ? RegFile::UPred : RegFile::Pred;
    return std::ranges::any_of(kernel_.instruction(id).operands, [&](const Operand& o) {
        return o.write && o.file == file && i.guard >= o.first && i.guard < o.first + o.count;
    });
}

ReuseRule::Effect ReuseRule::effect(InstrId flagged, int slot, InstrId next, bool guarded_alike) const {
    const SlotRead& kept = slots_[flagged][static_cast<std::size_t>(slot)];
    const SlotRead& read = slots_[next][static_cast<std::size_t>(slot)];
    if (read.count > 0) {
        // Only a reader of the same class proves a use.
        const bool same_kind =
            ends_entry(kernel_.instruction(next)) == ends_entry(kernel_.instruction(flagged));
        // A guarded reader may not execute, unless its guard is that of the flagged instruction.
        const bool surely = !kernel_.instruction(next).guarded() || guarded_alike;
        if (read.first == kept.first && same_kind)
            return surely ? Effect::Hit : writes(next, kept) ? Effect::Written : Effect::MayHit;
        const bool same_bank = read.count > 1 || kept.count > 1 || (read.first & 1) == (kept.first & 1);
        if (same_bank && uses_cache(kernel_.instruction(next)) && uses_cache(kernel_.instruction(flagged)))
            return Effect::Replaced;
    }
    return writes(next, kept) ? Effect::Written : Effect::None;
}

}  // namespace cubinlab
