// SPDX-License-Identifier: GPL-3.0-or-later
// Hopper's asynchronous machinery: warpgroup groups, mbarriers, bulk and tensor copies, cluster barriers.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

void none(OperandReader&) {}

// WARPGROUP.ARRIVE has bit 80 clear; .DEPBAR.LE has it set and its count from bit 72 on.
void warpgroup(OperandReader& r) {
    if (r.bit(80)) r.out.named_count = static_cast<std::uint8_t>(r.bits(72, 3));
}

void mbarrier_memory(OperandReader& r, unsigned uniform_at) {
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Shared;
    m.reads = m.writes = m.atomic = m.strong = true;
    m.width = 8;
    m.base = static_cast<std::uint8_t>(r.bits(24, 8));
    m.uniform_base = static_cast<std::uint8_t>(r.bits(uniform_at, 6));
    m.offset = static_cast<std::int32_t>(r.signed_bits(40, 24));
    m.plain = true;
}

// SYNCS on vector registers: arrive and phase checks. Address R[24..31] + UR[64..69] + s24.
void syncs(OperandReader& r) {
    r.gpr_def(16, 2);
    r.gpr(24, 1, Role::Address);
    if (r.bit(91)) r.ugpr(64, 1, Role::Address);
    r.gpr(32, 1, Role::StoreData);
    mbarrier_memory(r, 64);
}

void syncs_phase(OperandReader& r) {
    r.pred_def(81);
    r.gpr(24, 1, Role::Address);
    if (r.bit(91)) r.ugpr(64, 1, Role::Address);
    r.gpr(32, 1, Role::StoreData);
    mbarrier_memory(r, 64);
}

// SYNCS.EXCH.64: all on uniform registers.
void syncs_exchange(OperandReader& r) {
    r.ugpr_def(16, 2);
    r.ugpr(24, 1, Role::Address);
    r.ugpr(32, 2, Role::StoreData);
    mbarrier_memory(r, 24);
    r.out.memory.base = 255;
}

void bulk_memory(OperandReader& r, bool to_shared) {
    MemoryAccess& m = r.out.memory;
    m.space = to_shared ? MemorySpace::Global : MemorySpace::Shared;
    m.reads = true;
    m.writes = !to_shared;
    m.also_writes_shared = to_shared;
    m.strong = true;
}

// Destination (and mbarrier, towards shared memory) pair at 32-37, source pair at 24-29, size at 64-69.
void ublkcp(OperandReader& r) {
    r.ugpr(32, 2, Role::Address);
    r.ugpr(24, 2, Role::Address);
    r.ugpr(64, 1, Role::Other);
    bulk_memory(r, r.bit(73));
    if (r.bit(73) == r.bit(74)) r.unverified();
}

// Prefetch of global memory into L2.
void ublkpf(OperandReader& r) {
    r.ugpr(24, 2, Role::Address);
    r.ugpr(64, 1, Role::Other);
}

unsigned dimensions(OperandReader& r) {
    const auto dims = static_cast<unsigned>(r.bits(79, 3)) + 1;
    if (dims > 5) r.unverified();
    return dims > 5 ? 5 : dims;
}

// Bit 76: an L2 policy pair in 40-45.
void cache_policy(OperandReader& r) {
    if (r.bit(76)) r.ugpr(40, 2, Role::Descriptor);
}

// Shared address, mbarrier, then one coordinate a dimension; the tensor map's address is a pair. Form 1 with
// bit 75 adds a multicast mask. Bit 82 is im2col, whose offsets are not covered by evidence, nor are the
// other mode bits.
void utmaldg(OperandReader& r) {
    r.ugpr(32, 2 + dimensions(r), Role::Address);
    r.ugpr(24, 2, Role::Descriptor);
    if (r.form() == kRegReg) r.ugpr(64, 1, Role::Other);
    cache_policy(r);
    const auto mode = r.bits(72, 7) & ~0x10u;
    if (mode != (r.form() == kRegReg ? 8u : 0u) || r.bit(82)) r.unverified();
    bulk_memory(r, true);
}

void utmastg(OperandReader& r) {
    r.ugpr(32, 1 + dimensions(r), Role::Address);
    r.ugpr(24, 2, Role::Descriptor);
    cache_policy(r);
    if ((r.bits(72, 7) & ~0x10u) != 0 || r.bit(82)) r.unverified();
    bulk_memory(r, false);
}

void utmaredg(OperandReader& r) {
    r.ugpr(32, 1 + dimensions(r), Role::Address);
    r.ugpr(24, 2, Role::Descriptor);
    cache_policy(r);
    bulk_memory(r, false);
    r.out.memory.atomic = true;
}

void utmacctl(OperandReader& r) {
    r.ugpr(24, 2, Role::Address);
}

// Takes registers (the predicate says whether there were any) or gives them back; the count is in 32-39.
void setmaxreg(OperandReader& r) {
    r.upred_def(81);
}

// Arrival of earlier LDGSTS copies on an mbarrier; invalidation of one.
void mbarrier_only(OperandReader& r) {
    r.gpr(24, 1, Role::Address);
    if (r.bit(91)) r.ugpr(64, 1, Role::Address);
    mbarrier_memory(r, 64);
}

// Store and reduction to another block's shared memory: R24 holds the address, the next register the mbarrier
// that counts the bytes.
void store_remote(OperandReader& r) {
    static constexpr std::uint8_t kRegisters[8] = {1, 1, 1, 1, 1, 2, 4, 4};
    r.gpr(24, 2, Role::Address);
    r.ugpr(64, 1, Role::Address);
    const auto type = r.bits(73, 3);
    const bool reduction = r.bits(0, 9) == 0x1be;
    r.gpr(32, reduction ? (type >= 2 ? 2 : 1) : kRegisters[type], Role::StoreData);
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Generic;
    m.reads = m.writes = m.strong = true;
    m.also_writes_shared = true;
}

constexpr std::uint32_t kFence = bit_of(Trait::Fence);
constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kBulk = kFence | Trait::AsyncIssue | Trait::VariableLatency;

const OpcodeRow kRows[] = {
    {0x1c5, forms(4), "WARPGROUP", Unit::AsyncGroup, kFence | Trait::WarpWide, warpgroup, 90},
    {0x1a7, forms(2), "SYNCS", Unit::AsyncGroup, kFence | kVar, syncs_phase, 90},
    {0x1a7, forms(4), "SYNCS", Unit::AsyncGroup, kFence | kVar, syncs, 90},
    {0x1b2, forms(2), "SYNCS", Unit::AsyncGroup, kFence | kVar, syncs_exchange, 90},
    {0x1ba, forms(1), "UBLKCP", Unit::AsyncGroup, kBulk, ublkcp, 90},
    {0x1bc, forms(1), "UBLKPF", Unit::AsyncGroup, kBulk, ublkpf, 90},
    {0x1b0, forms(4), "ARRIVES", Unit::AsyncGroup, kFence | kVar, mbarrier_only, 80},
    {0x1b1, forms(4), "SYNCS", Unit::AsyncGroup, kFence | kVar, mbarrier_only, 90},
    {0x1b6, forms(1), "UTMAREDG", Unit::AsyncGroup, kBulk, utmaredg, 90},
    {0x1b9, forms(4), "UTMACCTL", Unit::AsyncGroup, kFence | kVar, utmacctl, 90},
    {0x1bd, forms(6), "STAS", Unit::AsyncGroup, kBulk, store_remote, 90},
    {0x1be, forms(6), "REDAS", Unit::AsyncGroup, kBulk, store_remote, 90},
    {0x02e, forms(4), "ACQBULK", Unit::AsyncGroup, kFence | Trait::Pinned, none, 90},
    {0x02d, forms(4), "PREEXIT", Unit::AsyncGroup, kFence | Trait::Pinned, none, 90},
    {0x1b4, forms(1, 2), "UTMALDG", Unit::AsyncGroup, kBulk, utmaldg, 90},
    {0x1b5, forms(1), "UTMASTG", Unit::AsyncGroup, kBulk, utmastg, 90},
    {0x1b7, forms(4), "UTMACMDFLUSH", Unit::AsyncGroup, kFence | kVar, none, 90},
    {0x1c8, forms(4), "USETMAXREG", Unit::AsyncGroup, kFence | kVar | Trait::WarpWide, setmaxreg, 90},
    {0x1c7, forms(4), "UCGABAR_ARV", Unit::Barrier, kFence, none, 90},
    {0x1c7, forms(6), "UCGABAR_WAIT", Unit::Barrier, kFence, none, 90},
};

}  // namespace

std::span<const OpcodeRow> async_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
