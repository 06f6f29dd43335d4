// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between number formats.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAll = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);
constexpr std::uint32_t kXu = Trait::VariableLatency | Trait::InOrderXu;
// 64-bit conversions are in order with each other, but not with others (see wide_conversion).
constexpr std::uint32_t kWide = bit_of(Trait::VariableLatency);

constexpr SourceBits kNegative{.negate = 63, .absolute = 62};
constexpr SourceBits kHigh{.negate = 75, .absolute = 74};
constexpr Sources kFloat{{}, {.negate = 63, .absolute = 62, .swizzle = 60}, {}, {}, Imm::Float};
constexpr Sources kInteger{.low = kNegative};
constexpr Sources kPair{{.negate = 72, .absolute = 73}, kNegative, kHigh, kHigh, Imm::Float};

constexpr std::string_view kRound = "|RM|RP|RZ";
constexpr std::string_view kIntRound = "|FLOOR|CEIL|TRUNC";
constexpr std::string_view kFloatSize = "F8|F16|F32|F64";
constexpr std::string_view kFloatUnless32 = "F8|F16||F64";
constexpr std::string_view kSigned = "S8|S16||S64";
constexpr std::string_view kUnsigned = "U8|U16|U32|U64";

// Size codes 0..3 are 8, 16, 32, 64 bits: destination in 75-76, source in 84-85.
void converted(Layout& l, const Sources& s) {
    l.d(l.bits(75, 2) == 3 ? 2 : 1).b(s, l.bits(84, 2) == 3 ? 2 : 1);
}

void f2f(Layout& l) {
    l.flag(80, "FTZ").mod(75, 2, kFloatSize).mod(84, 2, kFloatSize).mod(78, 2, kRound);
    converted(l, kFloat);
}

void f2i(Layout& l) {
    l.flag(80, "FTZ").mod(75, 2, l.bit(72) ? kSigned : kUnsigned).mod(84, 2, kFloatUnless32);
    l.mod(78, 2, kIntRound).flag(77, "NTZ");
    converted(l, kFloat);
}

void i2f(Layout& l) {
    l.mod(75, 2, kFloatUnless32).mod(84, 2, l.bit(74) ? kSigned : kUnsigned).mod(78, 2, kRound);
    converted(l, kInteger);
}

void frnd(Layout& l) {
    l.flag(80, "FTZ").mod(84, 2, kFloatUnless32).mod(78, 2, kIntRound);
    converted(l, kFloat);
}

// From sm_100 on also to, from and between floats of four to eight bits. Whatever is not read is RZ.
void f2fp_100(Layout& l) {
    const bool merge = l.bit(78), classic = l.bits(82, 5) == 0 && l.bits(72, 4) == 0 && !l.bit(81);
    if (classic) l.flag(77, "RELU").mod(76, 1, "F16|BF16").mod("F32").mod(merge ? "MERGE_C" : "PACK_AB");
    l.mod(79, 2, classic ? kRound : "|||").d().ab(kPair).shown(merge || !classic).c(kPair);
}

// nvdisasm prints the types from sm_89 on.
void f2fp(Layout& l) {
    if (l.sm() >= 100) return f2fp_100(l);
    const bool merge = l.bit(78);
    if (l.sm() >= 89)
        l.mod(76, 1, "F16|BF16").mod("F32");
    else
        l.flag(76, "BF16");
    l.flag(77, "RELU").mod(merge ? "MERGE_C" : "PACK_AB").mod(79, 2, kRound);
    l.d().ab(kPair).shown(merge).c(kPair);
}

// Saturates 32 bits to 8 or 16: 76-77 U8, S8, U16, S16.
void i2i(Layout& l) {
    if (l.bits(72, 4) != 0 || l.bits(78, 9) != 0) l.unverified();
    l.mod(76, 2, "U8|S8|U16|S16").mod("S32").mod("SAT").d().b({});
}

// Packs two saturated integers below the bits of c. Bits 76-78: bytes, halves (2, 3), nibbles (6, 7); odd
// values are signed. Nibbles go above the lower 24 bits of c (bit 73), bytes above its lower or, with bit 72,
// upper half. 74-75: saturation, always set before sm_90.
void i2ip(Layout& l) {
    const auto type = l.bits(76, 3);
    const bool nibbles = type >= 6, upper = l.bit(72);
    if (type == 4 || type == 5 || l.bit(73) != nibbles || (upper && type >= 2)) l.unverified();
    if (l.bits(74, 2) != (l.sm() < 90 ? 0u : 1u) || l.bits(79, 12) != 0) l.unverified();
    l.mod_of(type, "U8|S8|U16|S16|INVALID4|INVALID5|U4|S4").mod("S32").mod("SAT");
    l.d().a({}).b({}).slot(64, Role::C, 1, nibbles ? ".24" : upper ? ".H1" : "");
}

// As I2IP, from floats to bytes. nvdisasm prints no modifiers of a and b.
void f2ip(Layout& l) {
    constexpr Sources kPacked{.imm = Imm::Float};
    if (l.bit(73) || l.bit(77) || l.bits(80, 11) != 0) l.unverified();
    l.mod(76, 1, "U8|S8").mod("F32").mod(78, 2, kIntRound).flag(74, "NTZ").flag(75, "RELU");
    l.d().a(kPacked).b(kPacked).slot(64, Role::C, 1, l.bit(72) ? ".H1" : "");
}

const OpcodeRow kRows[] = {
    {0x104, kFormsB, "F2F", Unit::Xu, kXu, f2f},
    {0x105, kFormsB, "F2I", Unit::Xu, kXu, f2i},
    {0x106, kFormsB, "I2F", Unit::Xu, kXu, i2f},
    {0x107, kFormsB, "FRND", Unit::Xu, kXu, frnd},
    {0x110, kFormsB, "F2F", Unit::Xu, kWide, f2f},
    {0x111, kFormsB, "F2I", Unit::Xu, kWide, f2i},
    {0x112, kFormsB, "I2F", Unit::Xu, kWide, i2f},
    {0x113, kFormsB, "FRND", Unit::Xu, kWide, frnd},
    {0x03e, kAll, "F2FP", Unit::Alu, 0, f2fp, 80},
    {0x045, kFormsB, "I2FP", Unit::Alu, 0,
     [](Layout& l) { l.mod("F32").mod(74, 1, "U32|S32").mod(78, 2, kRound).d().b(kInteger); }, 86},
    {0x05a, forms(1, 4), "UI2F", Unit::Udp, 0, i2f, 120},
    {0x05e, forms(1, 4), "UI2FP", Unit::Udp, 0,
     [](Layout& l) { l.mod("F32").mod(74, 1, "U32|S32").mod(78, 2, kRound).d().b(kInteger); }, 120},
    {0x05c, forms(1, 4), "UF2I", Unit::Udp, 0, f2i, 120},
    {0x05d, forms(1, 4), "UFRND", Unit::Udp, 0, frnd, 120},
    {0x059, forms(1, 4), "UF2IP", Unit::Udp, 0, f2ip, 120},
    {0x0ba, forms(1, 4), "UF2FP", Unit::Udp, 0, f2fp_100, 120},
    {0x038, kFormsB, "I2I", Unit::Alu, 0, i2i},
    {0x039, forms(1, 4, 5), "I2IP", Unit::Alu, 0, i2ip},
    {0x043, forms(1, 4, 5), "F2IP", Unit::Alu, 0, f2ip, 86},
};

}  // namespace

std::span<const OpcodeRow> convert_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
