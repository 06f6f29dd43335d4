// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/memory_order.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/register_access.h"
#include "core/base/enum_names.h"
#include "core/sass/dummy_load.h"

namespace cubinlab {

using latency::is_named;

namespace {

bool touches_memory(const Instruction& i) {
    return (i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant) ||
           i.memory.also_writes_shared;
}

bool is_async(const Instruction& i) {
    return i.has(Trait::AsyncIssue) || i.has(Trait::ScoreboardByName) || i.unit == Unit::Depbar ||
           i.unit == Unit::AsyncGroup || i.unit == Unit::Gmma;
}

bool is_fence(const Instruction& i) {
    return i.has(Trait::Fence) || i.has(Trait::Clock) || i.unit == Unit::Barrier || i.unit == Unit::Fence ||
           i.unit == Unit::Depbar || i.unit == Unit::AsyncGroup || i.unit == Unit::Nop;
}

bool is_convergence(const Instruction& i) {
    return i.has(Trait::Convergence) || i.unit == Unit::Cbu;
}

const char* space_name(MemorySpace space) {
    return enum_name<MemorySpace::Generic>({"memory", "global", "shared", "local", "memory", "generic"},
                                           space, "memory");
}

bool is_arrive(const Instruction& i) {
    return arrive_to_wgmma_floor(i) > 0;
}

// Changes the register count: registers above the smaller count cannot be accessed on its other side.
bool resizes_registers(const Instruction& i) {
    return is_named(i, "USETMAXREG");
}

bool touches_vector_register(const Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [](const Operand& o) { return o.file == RegFile::Gpr; });
}

// LDS and STS; matrix loads and stores are never volatile.
bool is_shared_word(const Instruction& i) {
    return is_named(i, "LDS") || is_named(i, "STS");
}

bool writes_shared(const Instruction& i) {
    return i.memory.also_writes_shared || (i.memory.writes && (i.memory.space == MemorySpace::Shared ||
                                                               i.memory.space == MemorySpace::Generic));
}

}  // namespace

bool may_alias(MemorySpace a, MemorySpace b) {
    if (a == MemorySpace::None || b == MemorySpace::None) return false;
    if (a == MemorySpace::Constant || b == MemorySpace::Constant) return false;
    return a == b || a == MemorySpace::Generic || b == MemorySpace::Generic;
}

MemoryOrder::MemoryOrder(const Kernel& kernel)
    : kernel_(kernel),
      base_value_(kernel.size(), 0),
      can_be_ordered_(kernel.size(), false),
      touches_gmma_registers_(kernel.size(), false),
      writes_gmma_operand_(kernel.size(), false) {
    std::bitset<kRegCount> gmma;
    for (const Instruction& i : kernel.instructions()) {
        resizes_registers_ = resizes_registers_ || resizes_registers(i);
        if (i.unit == Unit::Gmma)
            for (const RegAccess& a : accesses_of(i))
                gmma.set(a.reg);
    }
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        if (gmma.any())
            for (const RegAccess& a : accesses_of(i)) {
                if (!gmma.test(a.reg)) continue;
                if (a.reg < kPredBase)
                    touches_gmma_registers_[id] = true;
                else if (a.write)
                    writes_gmma_operand_[id] = true;
            }
        can_be_ordered_[id] = touches_memory(i) || is_async(i) || is_fence(i) || is_convergence(i) ||
                              i.has(Trait::WarpWide) || i.has(Trait::UnknownOpcode) ||
                              touches_gmma_registers_[id] || writes_gmma_operand_[id] ||
                              (resizes_registers_ && touches_vector_register(i));
    }
    for (const Block& block : kernel.flow().blocks) {
        number_values(block);
        find_volatile_shared(block);
    }
}

// A register value is identified by the last instruction of the block that may have written it (a guarded
// write also creates a new value). The number combines all base registers and the scale factor.
void MemoryOrder::number_values(const Block& block) {
    std::array<std::uint32_t, kRegCount> last_write;
    last_write.fill(kNone);
    for (InstrId id = block.first; id < block.end(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        const MemoryAccess& m = i.memory;
        if (m.plain) {
            std::uint64_t value = 0xcbf29ce484222325ull;
            const auto mix = [&](RegIndex reg) {
                value =
                    (value ^ ((static_cast<std::uint64_t>(reg) << 32) + last_write[reg])) * 0x100000001b3ull;
            };
            const bool zero = m.base == 255;
            if (!zero) {
                value ^= m.base_scale;
                for (unsigned r = 0; r < m.base_count; ++r)
                    mix(reg_index(m.base_file, m.base + r));
            }
            const unsigned uniform = m.space == MemorySpace::Shared || m.space == MemorySpace::Local ? 1 : 2;
            if (m.uniform_base != kNoUniform)
                for (unsigned r = 0; r < uniform && m.uniform_base + r < kUniformRegisters; ++r)
                    mix(reg_index(RegFile::UGpr, m.uniform_base + r));
            base_value_[id] = value;
        }
        for (const RegAccess& a : accesses_of(i))
            if (a.write) last_write[a.reg] = id;
    }
}

bool MemoryOrder::disjoint(InstrId a, InstrId b) const {
    const Instruction& ia = kernel_.instruction(a);
    const Instruction& ib = kernel_.instruction(b);
    const MemoryAccess& x = ia.memory;
    const MemoryAccess& y = ib.memory;
    if (!x.plain || !y.plain || x.width == 0 || y.width == 0 || x.space != y.space) return false;
    if (x.also_writes_shared || y.also_writes_shared) return false;
    // Matrix loads and stores use the addresses of other lanes, so a lane's own offsets prove nothing.
    for (const char* name : {"LDSM", "STSM"})
        if (is_named(ia, name) || is_named(ib, name)) return false;
    return same_base(a, b) && !overlap(a, b);
}

bool MemoryOrder::same_base(InstrId a, InstrId b) const {
    const MemoryAccess& x = kernel_.instruction(a).memory;
    const MemoryAccess& y = kernel_.instruction(b).memory;
    return x.base_file == y.base_file && x.base == y.base && x.base_count == y.base_count &&
           x.uniform_base == y.uniform_base && base_value_[a] == base_value_[b];
}

bool MemoryOrder::overlap(InstrId a, InstrId b) const {
    const MemoryAccess& x = kernel_.instruction(a).memory;
    const MemoryAccess& y = kernel_.instruction(b).memory;
    return x.offset + static_cast<std::int64_t>(x.width) > y.offset &&
           y.offset + static_cast<std::int64_t>(y.width) > x.offset;
}

// LDS and STS have no volatile bit. A compiler re-reads bytes that it just read or wrote, without a possible
// change between, only for volatile accesses.
void MemoryOrder::find_volatile_shared(const Block& block) {
    std::vector<InstrId> known;
    for (InstrId id = block.first; id < block.end() && !volatile_shared_; ++id) {
        const Instruction& i = kernel_.instruction(id);
        if (is_fence(i) || is_async(i) || i.has(Trait::UnknownOpcode)) {
            known.clear();
            continue;
        }
        const MemoryAccess& m = i.memory;
        const bool word = is_shared_word(i) && m.plain && !i.guarded();
        if (writes_shared(i))
            known.erase(std::remove_if(known.begin(), known.end(),
                                       [&](InstrId k) { return !word || !disjoint(k, id); }),
                        known.end());
        if (!word) continue;
        if (m.reads)
            for (const InstrId k : known) {
                const MemoryAccess& o = kernel_.instruction(k).memory;
                if (same_base(k, id) && o.offset == m.offset && o.width == m.width) volatile_shared_ = true;
            }
        known.push_back(id);
    }
}

// Coherence: loads of one address that may be volatile keep their order. Global memory has a bit for it
// (strong); for shared memory, repeated reads of the same bytes count.
std::optional<OrderReason> MemoryOrder::two_loads(InstrId a, InstrId b) const {
    const Instruction& ia = kernel_.instruction(a);
    const Instruction& ib = kernel_.instruction(b);
    if (!is_named(ia, "LDS") || !is_named(ib, "LDS")) return std::nullopt;
    const bool same = ia.memory.plain && ib.memory.plain && same_base(a, b) && overlap(a, b);
    const bool unknown = volatile_shared_ && !disjoint(a, b);
    if (same || unknown) return OrderReason{Rule::MemoryOrder, "shared"};
    return std::nullopt;
}

bool MemoryOrder::disjoint_in_own_lane_only(InstrId a, InstrId b) const {
    const Instruction& ia = kernel_.instruction(a);
    const Instruction& ib = kernel_.instruction(b);
    return is_shared_word(ia) && is_shared_word(ib) && ia.memory.writes != ib.memory.writes && disjoint(a, b);
}

std::optional<OrderReason> MemoryOrder::memory(InstrId a, InstrId b) const {
    const Instruction& ia = kernel_.instruction(a);
    const Instruction& ib = kernel_.instruction(b);
    const MemoryAccess& x = ia.memory;
    const MemoryAccess& y = ib.memory;
    const bool x_shared = x.also_writes_shared;
    const bool y_shared = y.also_writes_shared;
    if (x_shared && y_shared) return OrderReason{Rule::AsyncGroup, "asynchronous copies"};
    if ((x_shared && (y_shared || may_alias(MemorySpace::Shared, y.space))) ||
        (y_shared && may_alias(MemorySpace::Shared, x.space)))
        return OrderReason{Rule::MemoryOrder, "shared"};
    if (!may_alias(x.space, y.space)) return std::nullopt;
    const bool ordered = x.strong || y.strong || x.atomic || y.atomic;
    if (!x.writes && !y.writes && !ordered) return two_loads(a, b);
    // Volatile accesses of a warp that exchanges data without a fence: none may pass another.
    const bool exchanged = volatile_shared_ && is_shared_word(ia) && is_shared_word(ib);
    if (!ordered && !exchanged && disjoint(a, b)) return std::nullopt;
    return OrderReason{Rule::MemoryOrder, space_name(x.space)};
}

// A wgmma group reads shared memory until it is retired. Loads and global stores may pass it; writes to
// shared memory and instructions that order groups may not.
std::optional<OrderReason> MemoryOrder::with_gmma(InstrId gmma, InstrId other) const {
    const Instruction& o = kernel_.instruction(other);
    (void)gmma;
    if (is_async(o)) return OrderReason{Rule::AsyncGroup, "wgmma group"};
    if (is_fence(o)) return OrderReason{Rule::FenceOrder, "fence"};
    if (writes_shared(o) || o.memory.atomic || o.memory.strong)
        return OrderReason{Rule::AsyncGroup, "shared"};
    return std::nullopt;
}

std::optional<OrderReason> MemoryOrder::between(InstrId a, InstrId b) const {
    if (!can_be_ordered_[a] || !can_be_ordered_[b]) {
        if (kernel_.instruction(a).has(Trait::UnknownOpcode) ||
            kernel_.instruction(b).has(Trait::UnknownOpcode))
            return OrderReason{Rule::UnknownOpcode, "order"};
        return std::nullopt;
    }
    const Instruction& x = kernel_.instruction(a);
    const Instruction& y = kernel_.instruction(b);
    if (x.has(Trait::UnknownOpcode) || y.has(Trait::UnknownOpcode))
        return OrderReason{Rule::UnknownOpcode, "order"};
    const bool x_group = x.unit == Unit::AsyncGroup;
    const bool y_group = y.unit == Unit::AsyncGroup;
    if ((x_group && touches_gmma_registers_[b]) || (y_group && touches_gmma_registers_[a]))
        return OrderReason{Rule::AsyncGroup, "wgmma registers"};
    if (arrives_before(a, b) || arrives_before(b, a)) return OrderReason{Rule::AsyncGroup, "wgmma operands"};
    if ((resizes_registers(x) && touches_vector_register(y)) ||
        (resizes_registers(y) && touches_vector_register(x)))
        return OrderReason{Rule::AsyncGroup, "register count"};
    const auto works_around = [](const Instruction& dummy, const Instruction& other) {
        return is_dummy_load(dummy) && (touches_memory(other) || is_async(other));
    };
    if (works_around(x, y) || works_around(y, x)) return OrderReason{Rule::FenceOrder, "dummy load"};
    if (x.unit == Unit::Gmma) return with_gmma(a, b);
    if (y.unit == Unit::Gmma) return with_gmma(b, a);
    const bool x_fence = is_fence(x);
    const bool y_fence = is_fence(y);
    if (x_fence || y_fence) {
        if (is_async(x) && is_async(y)) return OrderReason{Rule::AsyncGroup, "group"};
        if (x_fence && y_fence) return OrderReason{Rule::FenceOrder, "fence"};
        const Instruction& other = x_fence ? y : x;
        if (touches_memory(other) || is_async(other)) return OrderReason{Rule::FenceOrder, "fence"};
    }
    const auto holds_warp = [](const Instruction& i) {
        return is_convergence(i) || i.unit == Unit::Barrier || i.unit == Unit::Nop;
    };
    if ((holds_warp(x) && y.has(Trait::WarpWide)) || (holds_warp(y) && x.has(Trait::WarpWide)) ||
        (is_convergence(x) && is_convergence(y)))
        return OrderReason{Rule::WarpOrder, "convergence"};
    return memory(a, b);
}

// WARPGROUP.ARRIVE orders register writes of the warpgroup before the wgmmas that read them.
bool MemoryOrder::arrives_before(InstrId arrive, InstrId writer) const {
    return is_arrive(kernel_.instruction(arrive)) && writes_gmma_operand_[writer];
}

bool MemoryOrder::accesses_memory(InstrId id) const {
    return touches_memory(kernel_.instruction(id));
}

bool MemoryOrder::only_memory(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    const MemoryAccess& m = i.memory;
    if (!touches_memory(i) || m.also_writes_shared || m.strong || m.atomic || (m.plain && m.width == 0))
        return false;
    return !is_async(i) && !is_fence(i) && !is_convergence(i) && !i.has(Trait::UnknownOpcode) &&
           !resizes_registers(i) && !is_arrive(i) && !is_dummy_load(i);
}

bool MemoryOrder::bystander(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    return !touches_memory(i) && !is_async(i) && !is_fence(i) && !is_convergence(i) &&
           !i.has(Trait::UnknownOpcode) && !resizes_registers(i) && !is_arrive(i);
}

bool MemoryOrder::by_bytes(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    return i.memory.plain && i.memory.width != 0 && !is_named(i, "LDSM") && !is_named(i, "STSM");
}

bool MemoryOrder::shared_word(InstrId id) const {
    return is_shared_word(kernel_.instruction(id));
}

bool MemoryOrder::fence_like(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    return is_fence(i) || is_async(i) || i.has(Trait::UnknownOpcode) || i.memory.strong || i.memory.atomic;
}

}  // namespace cubinlab
