// SPDX-License-Identifier: GPL-3.0-or-later
// Text of floating-point arithmetic and conversions.
#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

constexpr SourceBits kA{.negate = 72, .absolute = 73};
constexpr SourceBits kLow{.negate = 63, .absolute = 62};
constexpr SourceBits kHigh{.negate = 75, .absolute = 74};
constexpr SourceBits kHalfA{.negate = 72, .absolute = 73, .swizzle = 74};
constexpr SourceBits kHalfLow{.negate = 63, .absolute = 62, .swizzle = 60};
constexpr SourceBits kHalfHigh{.negate = 84, .absolute = 83, .swizzle = 81};

constexpr std::string_view kFloatCompare[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                              "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
constexpr std::string_view kBool[] = {"AND", "OR", "XOR"};
constexpr std::string_view kRound[] = {"", "RM", "RP", "RZ"};

void float_modifiers(TextWriter& w) {
    w.mod_if(w.bit(80), "FTZ");
    w.mod_of(w.bits(78, 2), kRound);
    w.mod_if(w.bit(77), "SAT");
}

void fadd(TextWriter& w) {
    float_modifiers(w);
    w.dest();
    w.a(kA);
    w.second(kLow, Imm::Float);
}

void fmul(TextWriter& w) {
    float_modifiers(w);
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
}

void ffma(TextWriter& w) {
    float_modifiers(w);
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
    w.c(kLow, kHigh, Imm::Float);
}

void fsel(TextWriter& w) {
    w.mod_if(w.bit(80), "FTZ");
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
    w.arg(w.pred_source(87));
}

void fset(TextWriter& w) {
    w.mod_if(w.bit(75), "BF");
    w.mod_of(w.bits(76, 4), kFloatCompare);
    w.mod_if(w.bit(80), "FTZ");
    w.mod("AND");
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
    w.arg(w.pred_source(87));
}

void fsetp(TextWriter& w) {
    w.mod_of(w.bits(76, 4), kFloatCompare);
    w.mod_if(w.bit(80), "FTZ");
    w.mod_of(w.bits(74, 2), kBool);
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.a(kA);
    w.b(kLow, {}, Imm::Float);
    w.arg(w.pred_source(87));
}

void fchk(TextWriter& w) {
    w.mod("DIVIDE");
    w.arg(w.pred(81));
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
}

void mufu(TextWriter& w) {
    w.mod_of(w.bits(74, 4), {"COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"});
    w.dest();
    w.b(kLow, kHigh, Imm::Float);
}

void dadd(TextWriter& w) {
    w.mod_of(w.bits(78, 2), kRound);
    w.dest();
    w.a(kA);
    if (w.form() == kRegReg)
        w.source(64, kHigh, 2);
    else
        w.second(kLow, Imm::Double);
}

void dmul(TextWriter& w) {
    w.mod_of(w.bits(78, 2), kRound);
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Double);
}

void dfma(TextWriter& w) {
    dmul(w);
    w.c(kLow, kHigh, Imm::Double);
}

void dsetp(TextWriter& w) {
    w.mod_of(w.bits(76, 4), kFloatCompare);
    w.mod_of(w.bits(74, 2), kBool);
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.a(kA);
    w.second(kLow, Imm::Double);
    w.arg(w.pred_source(87));
}

void half_modifiers(TextWriter& w) {
    w.mod_if(w.bit(85), "BF16_V2");
    w.mod_if(w.bit(78), "F32");
    w.mod_if(w.bit(80), "FTZ");
    w.mod_if(w.bit(77), "SAT");
}

void hadd2(TextWriter& w) {
    half_modifiers(w);
    w.dest();
    w.a(kHalfA);
    w.second(kHalfLow, Imm::Halves);
}

void hmul2(TextWriter& w) {
    half_modifiers(w);
    w.dest();
    w.a(kHalfA);
    w.b(kHalfLow, kHalfHigh, Imm::Halves);
}

void hfma2(TextWriter& w) {
    w.mod_if(w.bit(79), "RELU");
    hmul2(w);
    w.c(kHalfLow, kHalfHigh, Imm::Halves);
}

void hfma2_mma(TextWriter& w) {
    w.mod("MMA");
    hfma2(w);
}

void hset2(TextWriter& w) {
    w.mod_if(w.bit(71), "BF");
    w.mod_of(w.bits(76, 4), kFloatCompare);
    w.mod_if(w.bit(80), "FTZ");
    w.mod_of(w.bits(69, 2), kBool);
    w.dest();
    w.a(kHalfA);
    w.second(kHalfLow, Imm::Halves);
    w.arg(w.pred_source(87));
}

void hsetp2(TextWriter& w) {
    w.mod_if(w.bit(71), "H_AND");
    w.mod_of(w.bits(76, 4), kFloatCompare);
    w.mod_if(w.bit(80), "FTZ");
    w.mod_of(w.bits(69, 2), kBool);
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.a(kHalfA);
    w.second(kHalfLow, Imm::Halves);
    w.arg(w.pred_source(87));
}

void hmnmx2(TextWriter& w) {
    w.mod_if(w.bit(85), "BF16_V2");
    w.dest();
    w.a(kHalfA);
    w.b(kHalfLow, kHalfHigh, Imm::Halves);
    w.arg(w.pred_source(87));
}

constexpr std::string_view kFloatSize[] = {"F8", "F16", "F32", "F64"};

void f2f(TextWriter& w) {
    w.mod_if(w.bit(80), "FTZ");
    w.mod_of(w.bits(75, 2), kFloatSize);
    w.mod_of(w.bits(84, 2), kFloatSize);
    w.mod_of(w.bits(78, 2), kRound);
    w.dest();
    w.b(kHalfLow, {}, Imm::Float);
}

constexpr std::string_view kIntRound[] = {"", "FLOOR", "CEIL", "TRUNC"};

void f2i(TextWriter& w) {
    w.mod_if(w.bit(80), "FTZ");
    static constexpr std::string_view kSigned[4] = {"S8", "S16", "", "S64"};
    static constexpr std::string_view kUnsigned[4] = {"U8", "U16", "U32", "U64"};
    w.mod((w.bit(72) ? kSigned : kUnsigned)[w.bits(75, 2)]);
    if (w.bits(84, 2) != 2) w.mod_of(w.bits(84, 2), kFloatSize);
    w.mod_of(w.bits(78, 2), kIntRound);
    w.mod_if(w.bit(77), "NTZ");
    w.dest();
    w.b(kHalfLow, {}, Imm::Float);
}

void i2f(TextWriter& w) {
    if (w.bits(75, 2) != 2) w.mod_of(w.bits(75, 2), kFloatSize);
    static constexpr std::string_view kSigned[4] = {"S8", "S16", "", "S64"};
    static constexpr std::string_view kUnsigned[4] = {"U8", "U16", "U32", "U64"};
    w.mod((w.bit(74) ? kSigned : kUnsigned)[w.bits(84, 2)]);
    w.mod_of(w.bits(78, 2), kRound);
    w.dest();
    w.b({.negate = 63, .absolute = 62}, {}, Imm::Unsigned);
}

void i2fp(TextWriter& w) {
    w.mod("F32");
    w.mod(w.bit(74) ? "S32" : "U32");
    w.mod_of(w.bits(78, 2), kRound);
    w.dest();
    w.b(kLow, {}, Imm::Unsigned);
}

void frnd(TextWriter& w) {
    w.mod_if(w.bit(80), "FTZ");
    if (w.bits(84, 2) != 2) w.mod_of(w.bits(84, 2), kFloatSize);
    w.mod_of(w.bits(78, 2), kIntRound);
    w.dest();
    w.b(kHalfLow, {}, Imm::Float);
}

void i2ip(TextWriter& w) {
    w.mod_of(w.bits(76, 3), {"U8", "S8", "U16", "S16", "INVALID4", "INVALID5", "U4", "S4"});
    w.mod("S32");
    w.mod("SAT");
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2, w.bit(73) ? ".24" : "");
}

void f2ip(TextWriter& w) {
    w.mod("S8.F32.NTZ");
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
}

void f2fp(TextWriter& w) {
    // nvdisasm names the types from sm_89 on.
    if (w.sm() >= 89) {
        w.mod(w.bit(76) ? "BF16" : "F16");
        w.mod("F32");
    } else {
        w.mod_if(w.bit(76), "BF16");
    }
    w.mod_if(w.bit(77), "RELU");
    w.mod(w.bit(78) ? "MERGE_C" : "PACK_AB");
    w.mod_of(w.bits(79, 2), kRound);
    w.dest();
    w.a(kA);
    w.b(kLow, kHigh, Imm::Float);
    if (w.bit(78)) w.c(kLow, kHigh, Imm::Float);
}

const TextRow kRows[] = {
    {0x008, fsel},      {0x009, fsel},   {0x00a, fset},  {0x00b, fsetp}, {0x020, fmul},  {0x021, fadd},
    {0x023, ffma},      {0x102, fchk},   {0x108, mufu},  {0x028, dmul},  {0x029, dadd},  {0x02a, dsetp},
    {0x02b, dfma},      {0x030, hadd2},  {0x031, hfma2}, {0x032, hmul2}, {0x033, hset2}, {0x034, hsetp2},
    {0x035, hfma2_mma}, {0x040, hmnmx2}, {0x104, f2f},   {0x110, f2f},   {0x105, f2i},   {0x111, f2i},
    {0x106, i2f},       {0x112, i2f},    {0x107, frnd},  {0x113, frnd},  {0x03e, f2fp},  {0x045, i2fp},
    {0x039, i2ip},      {0x043, f2ip},
};

}  // namespace

std::span<const TextRow> float_text() {
    return kRows;
}

}  // namespace cubinlab::sass
