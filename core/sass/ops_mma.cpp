// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix instructions. Tuple widths follow the shape bits; shapes that no evidence covers are pinned.
#include "core/sass/gmma_shape.h"
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

// Bits 82-83: 0 f16, 1 bf16, 2 tf32. Bit 76: f32 accumulators. Bit 73: structured sparsity, metadata register
// in 40-47. Bits 75 and 78 choose the shape; combinations that ptxas has not been seen to emit are pinned.
void hmma(OperandReader& r) {
    const bool large = r.bit(75);
    const bool tf32 = r.bits(82, 2) == 2;
    const bool wide_k = r.bit(78);
    unsigned a = large ? 4 : 2, b = large ? 2 : 1;
    bool known = true;
    if (r.bit(73)) {  // 16816 and 16832 of f16 and bf16, 1688 and 16816 of tf32
        a = b = (tf32 ? large : wide_k) ? 4 : 2;
        known = tf32 ? r.bit(76) && !wide_k : large;
        r.gpr(40, 1, Role::Other);
    } else if (tf32) {  // 1684 or 1688
        a = wide_k ? 2 : 4;
        b = wide_k ? 1 : 2;
        known = !large && r.bit(76);
    } else {  // 1688 or 16816
        known = !wide_k;
    }
    if (!known || r.bits(82, 2) == 3) r.unverified();
    r.gpr(24, a, Role::A);
    r.gpr(32, b, Role::B);
    accumulate(r, r.bit(76) ? 4 : 2);
    const bool half_rate =
        r.bit(73) ? a == 4 : large || (tf32 && !wide_k);  // m16n8k4 of tf32 is as fast as 1688 of f16
    r.out.unit = half_rate ? Unit::Mma2x : Unit::Mma1x;
}

// Shape in bits 86, 85, 75: 0 8816, 2 8832, 4 16816, 5 16832, 6 16864, 7 168128 (sparse, four bits). Bits 83
// and 84 make A and B four bits wide; 76 and 78 make them signed. Bit 72: structured sparsity.
void imma(OperandReader& r) {
    const auto shape = r.bits(85, 2) << 1 | r.bits(75, 1);
    const bool nibbles = r.bit(83);
    const bool sparse = r.bit(72);
    const bool rows16 = shape >= 4;
    bool known = r.bit(83) == r.bit(84);
    unsigned a = 1, b = 1;
    switch (shape) {
        case 0:
            known = known && !nibbles && !sparse;
            break;
        case 2:
            known = known && nibbles && !sparse;
            break;
        case 4:
            a = 2;
            known = known && !nibbles && !sparse;
            break;
        case 5:
            a = nibbles || sparse ? 2 : 4;
            b = nibbles ? 1 : 2;
            known = known && !(nibbles && sparse);
            break;
        case 6:
            a = nibbles && sparse ? 2 : 4;
            b = nibbles || !sparse ? 2 : 4;
            known = known && (nibbles || sparse);
            break;
        case 7:
            a = b = 4;
            known = known && nibbles && sparse;
            break;
        default:
            known = false;
            break;
    }
    if (!known) r.unverified();
    r.gpr(24, a, Role::A);
    r.gpr(32, b, Role::B);
    if (sparse) r.gpr(40, 1, Role::Other);
    accumulate(r, rows16 ? 4 : 2);
    r.out.unit = !rows16 ? Unit::MmaImma88 : a == 2 ? Unit::Mma1x : Unit::Mma2x;
}

// Single bits: shape in bits 75 (168128) and 76 (168256), else 88128. Bit 78: AND instead of XOR.
void bmma(OperandReader& r) {
    const bool k128 = r.bit(75), k256 = r.bit(76);
    if (k128 && k256) r.unverified();
    r.gpr(24, k256 ? 4 : k128 ? 2 : 1, Role::A);
    r.gpr(32, k256 ? 2 : 1, Role::B);
    accumulate(r, k128 || k256 ? 4 : 2);
    r.out.unit = k256 ? Unit::Mma2x : k128 ? Unit::Mma1x : Unit::MmaImma88;
}

// Eight-bit floats on sm_89: bit 75 16832, bit 76 with 80 sparse 16864, else 16816; bit 77 f32 accumulators.
void qmma(OperandReader& r) {
    const bool k32 = r.bit(75), sparse = r.bit(80);
    if (r.bit(76) != sparse || (k32 && sparse)) r.unverified();
    r.gpr(24, sparse || k32 ? 4 : 2, Role::A);
    r.gpr(32, sparse ? 4 : k32 ? 2 : 1, Role::B);
    if (sparse) r.gpr(40, 1, Role::Other);
    accumulate(r, r.bit(77) ? 4 : 2);
    r.out.unit = sparse || k32 ? Unit::Mma2x : Unit::Mma1x;
}

// Bits 76-77: m8n8k4, then m16n8 with K 4, 8, 16 (sm_90).
void dmma(OperandReader& r) {
    static constexpr std::uint8_t kA[4] = {2, 4, 8, 16}, kB[4] = {2, 2, 4, 8};
    const auto shape = r.bits(76, 2);
    r.gpr(24, kA[shape], Role::A);
    r.gpr(32, kB[shape], Role::B);
    accumulate(r, shape == 0 ? 4 : 8);
}

// Transposes an 8x8 matrix of halves across the warp.
void movm(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::Other);
}

// Warpgroup MMA: N/2 accumulators per thread, N/4 where they are packed f16. A comes from registers (form 6)
// or from the first half of the descriptor quadruple (form 4); the metadata of a sparse one is in 40-47. It
// reads shared memory, A and metadata until the group is retired.
void gmma(OperandReader& r) {
    const GmmaShape shape = gmma_shape(r.word());
    const auto base = r.bits(0, 9);
    const bool a_in_registers = r.form() == kUniformB;
    if (a_in_registers) r.gpr(24, 4, Role::A);
    // The quadruple holds A's descriptor, then B's. ptxas fills only the upper pair where A comes from
    // registers, so all four count as read.
    r.ugpr(a_in_registers ? 32 : 24, 4, Role::Descriptor);
    const bool packed_halves = (base == kHgmma || base == kQgmma) && !r.bit(75);
    if (!shape.known) r.unverified();
    accumulate(r, packed_halves ? shape.n / 4 : shape.n / 2);
    if (shape.sparse) r.gpr(40, 1, Role::Other);
    // The scale predicate is stored inverted: 0 is UPT, 7 is UP0.
    r.add(RegFile::UPred, 7 - r.bits(87, 3), 1, Role::PredSource, true, false);
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
    {0x03d, forms(1), "BMMA", Unit::Mma2x, kWarp | kScoreboard, bmma, 75, 79},
    {0x03d, forms(1), "BMMA", Unit::Mma2x, kWarp, bmma, 80},
    {0x07a, forms(1), "QMMA", Unit::Mma2x, kWarp, qmma, 86, 89},
    {0x03a, forms(1), "MOVM", Unit::Mio, kWarp | kScoreboard, movm},
    {0x03f, forms(1), "DMMA", Unit::Dmma, kWarp | kScoreboard, dmma, 80},
    {kHgmma, forms(4, 6), "HGMMA", Unit::Gmma, kAsync, gmma, 90},
    {kIgmma, forms(4, 6), "IGMMA", Unit::Gmma, kAsync, gmma, 90},
    {kBgmma, forms(4, 6), "BGMMA", Unit::Gmma, kAsync, gmma, 90},
    {kQgmma, forms(4, 6), "QGMMA", Unit::Gmma, kAsync, gmma, 90},
};

}  // namespace

std::span<const OpcodeRow> mma_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
