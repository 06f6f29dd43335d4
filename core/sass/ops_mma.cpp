// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix instructions. Tuple widths follow the shape bits; shapes that no evidence covers are pinned.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

// D and C are usually the same registers: then one operand that is read and written, as slot c.
void accumulate(OperandReader& r, unsigned count) {
    if (r.bits(16, 8) == r.bits(64, 8)) {
        r.add(RegFile::Gpr, r.bits(16, 8), count, Role::C, true, true);
        return;
    }
    r.gpr_def(16, count);
    r.gpr(64, count, Role::C);
}

// Bit 75: K 16 (f16) or 8 (tf32), else half of it. Bit 76: f32 accumulators. Bits 82-83: 2 = tf32.
// Bit 73 with 78: structured sparsity, metadata register in 40-47.
void hmma(OperandReader& r) {
    const bool large = r.bit(75);
    const bool f32 = r.bit(76);
    const bool tf32 = r.bits(82, 2) == 2;
    const bool sparse = r.bit(73);
    unsigned a = large ? 4 : 2;
    unsigned b = large ? 2 : 1;
    if (tf32) a = r.bits(75, 1) ? 4 : 4, b = 2;
    if (sparse) {
        if (!large || tf32 || !r.bit(78)) r.unverified();
        b = 4;
        r.gpr(40, 1, Role::Other);
    } else if (r.bit(78)) {
        r.unverified();
    }
    r.gpr(24, a, Role::A);
    r.gpr(32, b, Role::B);
    accumulate(r, f32 ? 4 : 2);
    r.out.unit = large || tf32 || sparse ? Unit::Mma2x : Unit::Mma1x;
}

// Bits 75 and 76 with 74: 16832 is 1,1, 16816 is 0,1; 8816 has neither.
void imma(OperandReader& r) {
    const bool m16 = r.bit(76);
    const bool large = r.bit(75);
    if (m16) {
        r.gpr(24, large ? 4 : 2, Role::A);
        r.gpr(32, large ? 2 : 1, Role::B);
        accumulate(r, 4);
        r.out.unit = large ? Unit::Mma2x : Unit::Mma1x;
    } else {
        r.gpr(24, 1, Role::A);
        r.gpr(32, 1, Role::B);
        accumulate(r, 2);
        r.out.unit = Unit::MmaImma88;
        if (large) r.unverified();
    }
    if (r.bit(73)) r.unverified();
}

void dmma(OperandReader& r) {
    r.gpr(24, 2, Role::A);
    r.gpr(32, 2, Role::B);
    accumulate(r, 4);
}

// Warpgroup MMA: N/8 - 1 in bits 53-57, N/2 f32 accumulators per thread. A comes from registers (form 6) or
// from the first half of the descriptor quadruple (form 4). It reads shared memory until the group is
// retired.
void gmma(OperandReader& r) {
    const auto n = static_cast<unsigned>(r.bits(53, 5) + 1) * 8;
    if (!r.bit(75)) r.unverified();  // other accumulator types than f32
    const bool a_in_registers = r.form() == kUniformB;
    if (a_in_registers) r.gpr(24, 4, Role::A);
    // The quadruple holds A's descriptor, then B's. ptxas fills only the upper pair where A comes from
    // registers, so all four count as read.
    r.ugpr(a_in_registers ? 32 : 24, 4, Role::Descriptor);
    accumulate(r, n / 2);
    // A scale predicate other than UPT has not been seen encoded: count every uniform predicate as read.
    if (r.bits(87, 3) != 0) r.add(RegFile::UPred, 0, 7, Role::PredSource, true, false);
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Shared;
    m.reads = true;
}

constexpr std::uint32_t kScoreboard = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kAsync = Trait::AsyncIssue | Trait::WarpWide;
constexpr std::uint32_t kWarp = bit_of(Trait::WarpWide);

const OpcodeRow kRows[] = {
    {0x03c, forms(1), "HMMA", Unit::Mma2x, kWarp | kScoreboard, hmma, 75, 79},
    {0x03c, forms(1), "HMMA", Unit::Mma2x, kWarp, hmma, 80},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarp | kScoreboard, imma, 75, 79},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarp, imma, 80},
    {0x03f, forms(1), "DMMA", Unit::Dmma, kWarp | kScoreboard, dmma, 80},
    {0x1f0, forms(4, 6), "HGMMA", Unit::Gmma, kAsync, gmma, 90},
    {0x1f3, forms(4, 6), "QGMMA", Unit::Gmma, kAsync, gmma, 90},
};

}  // namespace

std::span<const OpcodeRow> mma_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
