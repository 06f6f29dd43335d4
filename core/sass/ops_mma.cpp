// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix instructions. The shape bits give the tuple widths; unverified shapes are pinned.
#include <fmt/format.h>

#include <iterator>

#include "core/isa/word.h"
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

// Shape of a warpgroup matrix instruction (m64nNkK) from its word.
struct GmmaShape {
    unsigned n = 0;
    unsigned k = 0;
    bool sparse = false;  // half of A's elements are stored; a metadata register selects them
    bool known = false;   // false: an encoding that ptxas has not been observed to emit; n and k are invalid
};

// Base opcodes of the four instructions.
constexpr unsigned kHgmma = 0x1f0, kIgmma = 0x1f1, kBgmma = 0x1f2, kQgmma = 0x1f3;

constexpr unsigned kIntegerN[] = {8,   16,  24,  32,  48,  64,  80,  96,  112,
                                  128, 144, 160, 176, 192, 208, 224, 240, 256};

unsigned eights(const Word& word) {
    return static_cast<unsigned>(word.bits(53, 5) + 1) * 8;
}

// Bits 76-77: f16, bf16, tf32. Bits 58-60: K of 16, 8, 32. Only f32 accumulators support all types.
GmmaShape half_shape(const Word& word, bool sparse) {
    static constexpr unsigned kK[] = {16, 8, 32};
    const auto code = word.bits(58, 3);
    const auto type = word.bits(76, 2);
    const bool f32 = word.bit(75);
    if (code > 2 || type > 2 || (!f32 && type != 0)) return {};
    const unsigned k = (type == 2 ? 8u : 16u) * (sparse ? 2 : 1);
    return {eights(word), k, sparse, kK[code] == k};
}

GmmaShape byte_float_shape(const Word& word, bool sparse) {
    return {eights(word), sparse ? 64u : 32u, sparse, word.bits(58, 3) == (sparse ? 1u : 0u)};
}

GmmaShape integer_shape(const Word& word, bool sparse) {
    const auto code = word.bits(53, 8);
    const auto index = code / 3;
    if (index >= std::size(kIntegerN) || code % 3 != (sparse ? 1u : 0u)) return {};
    return {kIntegerN[index], sparse ? 64u : 32u, sparse, true};
}

// Bits 76-82: AND.POPC, the only operation.
GmmaShape bit_shape(const Word& word, bool sparse) {
    const auto index = word.bits(53, 8);
    if (index >= std::size(kIntegerN) || sparse || word.bits(76, 7) != 0x14) return {};
    return {kIntegerN[index], 256, false, true};
}

// Bit 73: sparse. HGMMA and QGMMA have N in bits 53-57 as N/8 - 1. BGMMA and IGMMA have fewer shapes,
// numbered in order: BGMMA has the number in bits 53-57, IGMMA has three times the number, plus one if
// sparse, in bits 53-58.
GmmaShape gmma_shape(const Word& word) {
    const bool sparse = word.bit(73);
    switch (word.bits(0, 9)) {
        case kHgmma:
            return half_shape(word, sparse);
        case kIgmma:
            return integer_shape(word, sparse);
        case kBgmma:
            return bit_shape(word, sparse);
        case kQgmma:
            return byte_float_shape(word, sparse);
        default:
            return {};
    }
}

// D and C are usually the same registers: then they are one operand that is read and written, in slot c.
void accumulators(Layout& l, unsigned count) {
    if (l.bits(16, 8) == l.bits(64, 8)) {
        l.add(RegFile::Gpr, l.bits(16, 8), count, Role::C, true, true);
        return;
    }
    l.add(RegFile::Gpr, l.bits(16, 8), count, Role::Dest, false, true);
    l.reads(RegFile::Gpr, 64, Role::C, count);
}

struct Shape {
    unsigned a = 1, b = 1, accumulators = 2;  // registers
    bool known = true, sparse = false;
    const char* row = "";  // notation of the layout of A and B, if printed
    const char* column = "";
};

// D, A, B, C with accumulators() for D and C. Sparse: a metadata register in 40-47 and its selector. 87-90
// have a uniform predicate as in wgmma, not observed in compiled code.
void multiply(Layout& l, const Shape& s) {
    if (!s.known || l.bits(87, 4) != 0) l.unverified();
    l.d(0).slot(24, Role::A, s.a, s.row).slot(32, Role::B, s.b, s.column).slot(64, Role::C, 0);
    if (s.sparse) l.gpr(40, Role::Other).imm(48, 2);
    accumulators(l, s.accumulators);
}

// Bits 82-83: 0 f16, 1 bf16, 2 tf32. Bit 76: f32 accumulators. Bit 73: structured sparsity. Bits 75 and 78
// select the shape; combinations that ptxas has not been observed to emit are pinned.
void hmma(Layout& l) {
    const bool large = l.bit(75), wide_k = l.bit(78), f32 = l.bit(76), sparse = l.bit(73);
    const bool tf32 = l.bits(82, 2) == 2;
    Shape s{.a = large ? 4u : 2u, .b = large ? 2u : 1u, .accumulators = f32 ? 4u : 2u, .sparse = sparse};
    const char* name = large ? "16816" : "1688";
    if (sparse) {  // 16816 and 16832 of f16 and bf16, 1688 and 16816 of tf32
        s.a = s.b = (tf32 ? large : wide_k) ? 4 : 2;
        s.known = tf32 ? f32 && !wide_k : large;
        name = tf32 && !large ? "1688" : !tf32 && wide_k ? "16832" : "16816";
    } else if (tf32) {  // 1684 or 1688
        s.a = wide_k ? 2 : 4;
        s.b = wide_k ? 1 : 2;
        s.known = !large && f32;
        name = wide_k ? "1684" : "1688";
    } else {  // 1688 or 16816
        s.known = !wide_k;
    }
    s.known = s.known && l.bits(82, 2) != 3;
    // m16n8k4 of tf32 has the speed of 1688 of f16.
    const bool half_rate = sparse ? s.a == 4 : large || (tf32 && !wide_k);
    l.out.unit = half_rate ? Unit::Mma2x : Unit::Mma1x;
    multiply(l.mod_if(sparse, "SP").mod(name).mod(76, 1, "F16|F32").mod(82, 2, "|BF16|TF32"), s);
}

// Shape in bits 86, 85, 75. Bits 83 and 84: A and B have four-bit elements; 76 and 78: signed. Bit 72:
// structured sparsity.
void imma(Layout& l) {
    const auto shape = l.bits(85, 2) << 1 | l.bits(75, 1);
    const bool nibbles = l.bit(83), sparse = l.bit(72), rows16 = shape >= 4;
    Shape s{.accumulators = rows16 ? 4u : 2u, .sparse = sparse, .row = ".ROW", .column = ".COL"};
    switch (shape) {
        case 0:  // 8816
            s.known = !nibbles && !sparse;
            break;
        case 2:  // 8832
            s.known = nibbles && !sparse;
            break;
        case 4:  // 16816
            s.a = 2;
            s.known = !nibbles && !sparse;
            break;
        case 5:  // 16832
            s.a = nibbles || sparse ? 2 : 4;
            s.b = nibbles ? 1 : 2;
            s.known = !(nibbles && sparse);
            break;
        case 6:  // 16864
            s.a = nibbles && sparse ? 2 : 4;
            s.b = nibbles || !sparse ? 2 : 4;
            s.known = nibbles || sparse;
            break;
        case 7:  // 168128, sparse, four bits
            s.a = s.b = 4;
            s.known = nibbles && sparse;
            break;
        default:
            s.known = false;
            break;
    }
    s.known = s.known && nibbles == l.bit(84);
    l.out.unit = !rows16 ? Unit::MmaImma88 : s.a == 2 ? Unit::Mma1x : Unit::Mma2x;
    l.mod_if(sparse, "SP").mod_of(shape, "8816||8832||16816|16832|16864|168128");
    l.mod_of(l.bits(76, 1) << 1 | l.bits(83, 1), "U8|U4|S8|S4");
    l.mod_of(l.bits(78, 1) << 1 | l.bits(84, 1), "U8|U4|S8|S4").flag(82, "SAT");
    multiply(l, s);
}

// Single bits: shape in bits 75 (168128) and 76 (168256), else 88128. Bit 78: AND instead of XOR.
void bmma(Layout& l) {
    const bool k128 = l.bit(75), k256 = l.bit(76);
    l.out.unit = k256 ? Unit::Mma2x : k128 ? Unit::Mma1x : Unit::MmaImma88;
    l.mod(k256 ? "168256" : k128 ? "168128" : "88128").mod(78, 1, "XOR|AND").mod("POPC");
    multiply(l, {.a = k256   ? 4u
                      : k128 ? 2u
                             : 1u,
                 .b = k256 ? 2u : 1u,
                 .accumulators = k128 || k256 ? 4u : 2u,
                 .known = !(k128 && k256),
                 .row = ".ROW",
                 .column = ".COL"});
}

// Types of A and B: their low bits at 78 and 79; from sm_120 on also 82-83 and 84-85, for six and four bits.
Layout& float_types(Layout& l) {
    constexpr std::string_view kTypes = "E4M3|E5M2|INVALID2|E3M2|E2M3|E2M1";
    return l.mod_of(l.bits(82, 2) << 1 | l.bits(78, 1), kTypes)
        .mod_of(l.bits(84, 2) << 1 | l.bits(79, 1), kTypes);
}

// Eight-bit floats on sm_89: bit 75 16832, bit 76 with 80 sparse 16864, else 16816; bit 77 f32 accumulators.
void qmma(Layout& l) {
    const bool k32 = l.bit(75), sparse = l.bit(80);
    l.out.unit = sparse || k32 ? Unit::Mma2x : Unit::Mma1x;
    l.mod_if(sparse, "SP").mod(sparse ? "16864" : k32 ? "16832" : "16816");
    float_types(l.mod(77, 1, "F16|F32"));
    multiply(l, {.a = sparse || k32 ? 4u : 2u,
                 .b = sparse ? 4u
                      : k32  ? 2u
                             : 1u,
                 .accumulators = l.bit(77) ? 4u : 2u,
                 .known = l.bit(76) == sparse && !(k32 && sparse),
                 .sparse = sparse});
}

// A uniform register of the scaled products: its low bits at 60, the others at 73.
Layout& scale_selector(Layout& l) {
    const auto number = l.bits(60, 3) | l.bits(73, 5) << 3;
    if (number != 255) l.add(RegFile::UGpr, number, 1, Role::Other, true, false);
    return l.writing() ? l.arg(number == 255 ? "URZ" : "UR" + std::to_string(number)) : l;
}

// Products of blocks with common scales (sm_120): eight bits a value or less, and four. The scales of A are above
// its metadata, if it is sparse, at 40; those of B at 52.
void scaled_product(Layout& l, bool nibbles) {
    const bool sparse = l.bit(80);
    l.mod("SF")
        .mod_if(sparse, "SP")
        .mod(nibbles ? (sparse ? "168128" : "16864") : (sparse ? "16864" : "16832"));
    l.mod("F32");
    if (nibbles)  // bits 82-83: the type of the scales
        l.mod("E2M1").mod("E2M1").mod(82, 2, "INVALID0|UE4M3.4X|E8|INVALID3");
    else
        float_types(l).mod("E8");
    l.d(4).slot(24, Role::A, 4).slot(32, Role::B, sparse ? 4 : 2).slot(64, Role::C, 4);
    l.gpr(40, Role::Other, sparse ? 2 : 1).gpr(52, Role::Other);
    scale_selector(l);
}

// Bits 76-77: m8n8k4, then m16n8 with K 4, 8, 16 (sm_90).
void dmma(Layout& l) {
    static constexpr std::uint8_t kA[4] = {2, 4, 8, 16}, kB[4] = {2, 2, 4, 8};
    const auto shape = l.bits(76, 2);
    if (l.sm() >= 90)
        l.mod_of(shape, "8x8x4|16x8x4|16x8x8|16x8x16");
    else
        l.mod("884");
    multiply(l, {.a = kA[shape], .b = kB[shape], .accumulators = shape == 0 ? 4u : 8u});
}

// Warpgroup MMA: N/2 accumulators per thread, N/4 for packed f16. A comes from registers (form 6) or from the
// first half of the descriptor quadruple (form 4); sparse metadata is in 40-47. It reads shared memory, A and
// the metadata until the group is retired.
void gmma(Layout& l, std::string_view types, bool packed_halves, bool selector) {
    const GmmaShape shape = gmma_shape(l.word());
    const bool a_in_registers = l.form() == kUniformB;
    l.out.memory.space = MemorySpace::Shared;
    l.out.memory.reads = true;
    if (!shape.known) l.unverified();
    l.mod_if(shape.sparse, "SP");
    if (l.writing()) l.mod(shape.known ? fmt::format("64x{}x{}", shape.n, shape.k) : "INVALID").mod(types);
    l.d(0);
    if (a_in_registers) l.slot(24, Role::A, 4, {}, {.negate = 72});
    // The quadruple has the descriptors of A and B. ptxas sets only the upper pair if A comes from registers;
    // all four count as read.
    const unsigned descriptor = a_in_registers ? 32 : 24;
    l.reads(RegFile::UGpr, descriptor, Role::Descriptor, 4);
    if (l.writing())
        l.arg(fmt::format("gdesc[{}]{}{}{}{}", l.name(RegFile::UGpr, descriptor),
                          !a_in_registers && l.bit(72) ? ".negA" : "", l.bit(63) ? ".negB" : "",
                          l.bit(61) ? ".tnspA" : "", l.bit(62) ? ".tnspB" : ""));
    accumulators(l, packed_halves ? shape.n / 4 : shape.n / 2);
    l.slot(64, Role::C, 0);
    // The scale predicate is stored inverted: 0 is UPT, 7 is UP0.
    const auto scale = 7 - l.bits(87, 3);
    l.add(RegFile::UPred, scale, 1, Role::PredSource, true, false, Rank::Predicate);
    if (l.writing() && (scale != 7 || l.bit(90)))
        l.arg(fmt::format("{}{}", l.bit(90) ? "!" : "", scale == 7 ? "UPT" : fmt::format("UP{}", scale)));
    if (shape.sparse) {
        l.gpr(40, Role::Other);
        if (selector) l.imm(48, 2);
    }
    if (l.bits(84, 3) != 7 && l.writing()) l.arg("gsb" + std::to_string(l.bits(84, 3)));
}

// Bit 75: f32 accumulators. Bits 76-77: f16, bf16, tf32.
void hgmma(Layout& l) {
    static constexpr std::string_view kTypes[] = {"F32", "F32.BF16", "F32.TF32", "F32.INVALID"};
    gmma(l, l.bit(75) ? kTypes[l.bits(76, 2)] : "F16", !l.bit(75), true);
}

void qgmma(Layout& l) {
    const std::string types = l.writing()
                                  ? fmt::format("{}.{}.{}", l.bit(75) ? "F32" : "F16",
                                                l.bit(76) ? "E5M2" : "E4M3", l.bit(77) ? "E5M2" : "E4M3")
                                  : "";
    gmma(l, types, !l.bit(75), false);
}

// Bits 76, 82: A, B signed. Bit 75: saturating.
void igmma(Layout& l) {
    static constexpr std::string_view kTypes[] = {"U8.U8",     "S8.U8",     "U8.S8",     "S8.S8",
                                                  "U8.U8.SAT", "S8.U8.SAT", "U8.S8.SAT", "S8.S8.SAT"};
    gmma(l, kTypes[l.bits(75, 1) << 2 | l.bits(82, 1) << 1 | l.bits(76, 1)], false, false);
}

constexpr std::uint32_t kAsync = Trait::AsyncIssue | Trait::WarpWide;
constexpr std::uint32_t kWarp = bit_of(Trait::WarpWide);
constexpr std::uint32_t kWarpVar = Trait::WarpWide | Trait::VariableLatency;

const OpcodeRow kRows[] = {
    {0x03c, forms(1), "HMMA", Unit::Mma2x, kWarpVar, hmma, 75, 79},
    {0x03c, forms(1), "HMMA", Unit::Mma2x, kWarp, hmma, 80},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarpVar, imma, 75, 79},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarp, imma, 80, 102},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarpVar, imma, 103, 103},
    {0x037, forms(1), "IMMA", Unit::Mma2x, kWarp, imma, 104},
    {0x03d, forms(1), "BMMA", Unit::Mma2x, kWarpVar, bmma, 75, 79},
    {0x03d, forms(1), "BMMA", Unit::Mma2x, kWarp, bmma, 80},
    {0x07a, forms(1), "QMMA", Unit::Mma2x, kWarp, qmma, 86, 89},
    {0x07a, forms(1), "QMMA", Unit::Mma2x, kWarp, qmma, 120},
    {0x07a, forms(2), "QMMA", Unit::Mma2x, kWarp, [](Layout& l) { scaled_product(l, false); }, 120},
    {0x07f, forms(2), "OMMA", Unit::Mma2x, kWarp, [](Layout& l) { scaled_product(l, true); }, 120},
    // Transposes an 8x8 matrix of halves across the warp. Bit 78: a variant with two result registers.
    {0x03a, forms(1), "MOVM", Unit::Mio, kWarpVar,
     [](Layout& l) {
         if (l.sm() >= 100 && l.bits(72, 8) == 0x48) {  // unpacks nibbles
             l.mod("U4TO8").mod("M832").d(2).gpr(24, Role::Other);
             return;
         }
         if (l.bits(78, 2) != 0) l.unverified();
         l.mod("16.MT88").d().gpr(24, Role::Other);
     }},
    {0x03f, forms(1), "DMMA", Unit::Dmma, kWarpVar, dmma, 80},
    {kHgmma, forms(4, 6), "HGMMA", Unit::Gmma, kAsync, hgmma, 90, 90},
    {kIgmma, forms(4, 6), "IGMMA", Unit::Gmma, kAsync, igmma, 90, 90},
    {kBgmma, forms(4, 6), "BGMMA", Unit::Gmma, kAsync, [](Layout& l) { gmma(l, "AND.POPC", false, false); },
     90, 90},
    {kQgmma, forms(4, 6), "QGMMA", Unit::Gmma, kAsync, qgmma, 90, 90},
};

}  // namespace

std::span<const OpcodeRow> mma_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
