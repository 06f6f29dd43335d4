// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous instructions of Hopper: warpgroup groups, mbarriers, bulk and tensor copies, cluster barriers.
#include "core/sass/address.h"
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr RegFile kUr = RegFile::UGpr;

// WARPGROUP.ARRIVE has bit 80 clear; .DEPBAR.LE has it set and its count at bit 72.
void warpgroup(Layout& l) {
    if (!l.bit(80)) {
        l.mod("ARRIVE");
        return;
    }
    l.out.named_count = static_cast<std::uint8_t>(l.bits(72, 3));
    l.mod("DEPBAR.LE").arg("gsb0").imm(72, 3);
}

// An mbarrier in shared memory: R[24..31] + UR + s24, the uniform register with bit 91; or UR[24..29] alone.
Layout& mbarrier(Layout& l, bool vector = true) {
    const unsigned uniform_at = vector ? 64 : 24;
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Shared;
    m.reads = m.writes = m.atomic = m.strong = true;
    m.width = 8;
    m.base = vector ? static_cast<std::uint8_t>(l.bits(24, 8)) : 255;
    m.uniform_base = l.uniform_base(uniform_at);
    m.offset = static_cast<std::int32_t>(l.signed_bits(40, 24));
    m.plain = true;
    if (vector) l.reads(RegFile::Gpr, 24, Role::Address);
    if (!vector || l.bit(91)) l.reads(kUr, uniform_at, Role::Address);
    if (!l.writing()) return l;
    std::string text = m.base == 255 ? "" : l.name(RegFile::Gpr, 24);
    if (l.bit(91)) text += (text.empty() ? "" : "+") + l.name(kUr, uniform_at);
    if (m.offset != 0) text += "+" + Layout::hex(m.offset);
    return l.arg("[" + text + "]");
}

void arrive(Layout& l) {
    l.mod("ARRIVE.TRANS64").flag(74, "RED").flag(75, "OPTOUT").mod(84, 2, "|A1T0|ART0|A0TR");
    mbarrier(l.d(2)).gpr(32, Role::StoreData);
}

void phase_check(Layout& l) {
    mbarrier(l.mod("PHASECHK.TRANS64").flag(72, "TRYWAIT").result(81)).gpr(32, Role::StoreData);
}

// All operands are uniform registers.
void exchange(Layout& l) {
    l.uniform_guard();
    mbarrier(l.mod("EXCH.64").ur_def(16, 2), false).ugpr(32, Role::StoreData, 2);
}

void bulk_memory(Layout& l, bool to_shared) {
    MemoryAccess& m = l.out.memory;
    m.space = to_shared ? MemorySpace::Global : MemorySpace::Shared;
    m.reads = true;
    m.writes = !to_shared;
    m.also_writes_shared = to_shared;
    m.strong = true;
}

// "[UR4]", which represents a tuple.
Layout& pointer(Layout& l, unsigned at, unsigned count, Role role = Role::Address) {
    l.reads(kUr, at, role, count);
    return l.writing() ? l.arg("[" + l.name(kUr, at) + "]") : l;
}

// Bit 76: an L2 policy pair in 40-45.
void cache_policy(Layout& l) {
    if (!l.bit(76)) return;
    l.reads(kUr, 40, Role::Descriptor, 2);
    if (l.writing()) l.arg("desc[" + l.name(kUr, 40) + "]");
}

// Destination at 32-37: a global address pair, or the shared address and that of its mbarrier. Source at
// 24-29: a global address pair or one shared address (compiled code may use an odd register and the next one
// for another value). Size at 64-69, with bit 75 a multicast mask above it, and an L2 policy. Bit 73: into
// shared memory, 74: out of it; both: into that of another block.
void ublkcp(Layout& l) {
    l.uniform_guard();
    const bool to_shared = l.bit(73), from_shared = l.bit(74);
    bulk_memory(l, !from_shared);
    l.out.memory.also_writes_shared = to_shared;
    if ((!to_shared && !from_shared) || l.bit(72) || l.bits(77, 4) != 0) l.unverified();
    if (to_shared && from_shared && l.bits(75, 2) != 0) l.unverified();
    l.mod_of(to_shared ? (from_shared ? 2 : 1) : 0, "G.S|S.G|S.S").flag(75, "MULTICAST");
    pointer(pointer(l, 32, 2), 24, from_shared ? 1 : 2).ugpr(64, Role::Other);
    cache_policy(l);
}

// Reduction of shared memory into global memory, or into that of another block (then with its mbarrier).
// Registers as in UBLKCP; the type is at bit 81, and nvdisasm omits U32.
void ublkred(Layout& l) {
    l.uniform_guard();
    bulk_memory(l, false);
    l.out.memory.atomic = true;
    l.out.memory.also_writes_shared = l.bit(73);
    if (!l.bit(74) || l.bits(81, 4) > 8) l.unverified();
    l.mod(73, 1, "G.S|S.S").mod(87, 3, "ADD|MIN|MAX|INC|DEC|AND|OR|XOR");
    l.mod(81, 4,
          "|S32|U64|S64|F16.RN|F32.RN|F32.FTZ.RN|F64.RN|BF16.RN|INVALID9|INVALID10|INVALID11|INVALID12|"
          "INVALID13|INVALID14|INVALID15");
    pointer(pointer(l, 32, 2), 24, 1).ugpr(64, Role::Other);
    cache_policy(l);
}

void ublkpf(Layout& l) {
    l.uniform_guard();
    if (l.bits(72, 4) != 0 || l.bits(77, 4) != 0) l.unverified();
    pointer(l.mod("L2"), 24, 2).ugpr(64, Role::Other);
    cache_policy(l);
}

// Shared address, mbarrier (loads), then one coordinate per dimension at 32; a pair at 24 has the address of
// the tensor map. A load may have a multicast mask.
void tensor_copy(Layout& l, unsigned before, bool multicast, unsigned coordinates = 0) {
    const auto dimensions = static_cast<unsigned>(l.bits(79, 3)) + 1;
    if (dimensions > 5) l.unverified();
    if (l.writing()) l.mod(std::to_string(dimensions) + "D");
    pointer(l, 32, before + (coordinates != 0 ? coordinates : dimensions > 5 ? 5 : dimensions));
    pointer(l, 24, 2, Role::Descriptor);
    if (multicast) l.ugpr(64, Role::Other);
    cache_policy(l);
}

// Bit 75: multicast. Bit 82 is im2col; its offsets and the other mode bits are unverified.
void expect_mode(Layout& l, unsigned mode) {
    if ((l.bits(72, 7) & ~0x10u) != mode || l.bit(82)) l.unverified();
}

// From sm_100 on: bits 82-83 im2col (its packed offsets are at 64), 84 four rows, 85 a pair of blocks.
void utmaldg_100(Layout& l) {
    constexpr unsigned kRowsAndColumn = 5;
    const bool extra = l.form() == kRegReg, columns = l.bits(82, 2) != 0, rows = l.bit(84);
    if ((l.bits(72, 7) & ~0x18u) != 0 || l.bit(86) || l.bits(87, 4) != 0) l.unverified();
    if (columns && !extra) l.unverified();
    bulk_memory(l, true);
    tensor_copy(l, 2, extra, rows ? kRowsAndColumn : 0);
}

void utmaldg(Layout& l) {
    l.uniform_guard();
    if (l.sm() >= 100) return utmaldg_100(l);
    const bool multicast = l.form() == kRegReg;
    expect_mode(l, multicast ? 8 : 0);
    bulk_memory(l, true);
    tensor_copy(l, 2, multicast);
}

// From sm_100 on bit 82 is im2col, 83 four rows.
void utmastg(Layout& l) {
    l.uniform_guard();
    const bool rows = l.sm() >= 100 && l.bit(83);
    if (l.sm() < 100 || (l.bits(72, 7) & ~0x10u) != 0 || l.bits(84, 3) != 0) expect_mode(l, 0);
    bulk_memory(l, false);
    tensor_copy(l, 1, false, rows ? 5 : 0);
}

void utmaredg(Layout& l) {
    l.uniform_guard();
    bulk_memory(l, false);
    l.out.memory.atomic = true;
    tensor_copy(l, 1, false);
}

// Prefetch of a tile into L2: coordinates and map only. Compilers guard it with a uniform predicate from
// VOTEU while the vector predicate of that number is true.
void utmapf(Layout& l) {
    l.uniform_guard();
    expect_mode(l, 0);
    tensor_copy(l.mod("L2"), 0, false, l.sm() >= 100 && l.bit(84) ? 5 : 0);
}

// Bit 82: im2col. A register at 64 has the packed offsets.
void utmapf_im2col(Layout& l) {
    l.uniform_guard();
    if (l.bits(72, 7) != 0 || !l.bit(82)) l.unverified();
    tensor_copy(l.mod("L2"), 0, true);
}

void utmacctl(Layout& l) {
    l.uniform_guard();
    pointer(l.mod(82, 1, "IV|PF"), 24, 2);
}

// Store and reduction to the shared memory of another block: R24 has the address, the next register the
// mbarrier that counts the bytes.
void store_remote(Layout& l, unsigned registers) {
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Generic;
    m.reads = m.writes = m.strong = true;
    m.also_writes_shared = true;
    l.reads(RegFile::Gpr, 24, Role::Address, 2).reads(kUr, 64, Role::Address);
    if (l.writing()) {
        const std::string uniform = l.zero(kUr, 64) ? "" : "+" + l.name(kUr, 64);
        l.arg(bracketed(l.name(RegFile::Gpr, 24) + ".64" + uniform, l.signed_bits(40, 24)));
    }
    l.gpr(32, Role::StoreData, registers);
}

void stas(Layout& l) {
    static constexpr std::uint8_t kRegisters[8] = {1, 1, 1, 1, 1, 2, 4, 4};
    store_remote(l.mod(73, 3, "INVALID0|INVALID1|INVALID2|INVALID3||64|128"), kRegisters[l.bits(73, 3)]);
}

void redas(Layout& l) {
    l.mod(87, 3, "ADD|MIN|MAX|INC|DEC|AND|OR|XOR").mod(73, 2, "|S32|64");
    store_remote(l, l.bits(73, 3) >= 2 ? 2 : 1);
}

// One mbarrier, or with all operand fields empty every one.
void invalidate(Layout& l) {
    if (l.bits(16, 48) == 0 && l.bits(64, 41) == 0)
        l.mod("CCTL.IVALL");
    else
        mbarrier(l.mod("CCTL.IV"));
}

// Allocates registers (the predicate is true if it succeeded) or releases them; the count is in 32-41.
void setmaxreg(Layout& l) {
    l.mod(72, 2, "INVALID0|DEALLOC|TRY_ALLOC").flag(74, "CTAPOOL");
    l.shown(l.bit(73)).upred_def(81).shown(true).imm(32, 10);
}

constexpr std::uint32_t kFence = bit_of(Trait::Fence);
constexpr std::uint32_t kVar = Trait::Fence | Trait::VariableLatency;
constexpr std::uint32_t kBulk = kVar | Trait::AsyncIssue;
constexpr Unit kGroup = Unit::AsyncGroup;

const OpcodeRow kRows[] = {
    {0x1c5, forms(4), "WARPGROUP", kGroup, kFence | Trait::WarpWide, warpgroup, 90, 90},
    {0x1a7, forms(2), "SYNCS", kGroup, kVar, phase_check, 90},
    {0x1a7, forms(4), "SYNCS", kGroup, kVar, arrive, 90},
    {0x1b2, forms(2), "SYNCS", kGroup, kVar, exchange, 90},
    {0x1b1, forms(4), "SYNCS", kGroup, kVar, invalidate, 90},
    // Earlier LDGSTS copies arrive on an mbarrier.
    {0x1b0, forms(4), "ARRIVES", kGroup, kVar, [](Layout& l) { mbarrier(l.mod("LDGSTSBAR.64")); }, 80},
    {0x1ba, forms(1), "UBLKCP", kGroup, kBulk, ublkcp, 90},
    {0x1bb, forms(1), "UBLKRED", kGroup, kBulk, ublkred, 90},
    // Prefetches global memory into L2.
    {0x1bc, forms(1), "UBLKPF", kGroup, kBulk, ublkpf, 90},
    {0x1b4, forms(1, 2), "UTMALDG", kGroup, kBulk, utmaldg, 90},
    {0x1b5, forms(1), "UTMASTG", kGroup, kBulk, utmastg, 90},
    {0x1b6, forms(1), "UTMAREDG", kGroup, kBulk, utmaredg, 90},
    {0x1b7, forms(4), "UTMACMDFLUSH", kGroup, kVar, {}, 90},
    {0x1b8, forms(2), "UTMAPF", kGroup, kBulk, utmapf, 90},
    {0x1b8, forms(1), "UTMAPF", kGroup, kBulk, utmapf_im2col, 100},
    {0x1b9, forms(4), "UTMACCTL", kGroup, kVar, utmacctl, 90},
    {0x1bd, forms(6), "STAS", kGroup, kBulk, stas, 90},
    {0x1be, forms(6), "REDAS", kGroup, kBulk, redas, 90},
    {0x02e, forms(4), "ACQBULK", kGroup, kFence | Trait::Pinned, {}, 90},
    {0x02d, forms(4), "PREEXIT", kGroup, kFence | Trait::Pinned, {}, 90},
    {0x1c8, forms(4), "USETMAXREG", kGroup, kVar | Trait::WarpWide, setmaxreg, 90},
    {0x1c7, forms(4), "UCGABAR_ARV", Unit::Barrier, kFence, {}, 90},
    {0x1c7, forms(6), "UCGABAR_WAIT", Unit::Barrier, kFence, {}, 90},
};

}  // namespace

std::span<const OpcodeRow> async_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
