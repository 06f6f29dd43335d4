// SPDX-License-Identifier: GPL-3.0-or-later
// Text of integer, logic and predicate instructions, vector and uniform alike.
#include <fmt/format.h>

#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

constexpr SourceBits kNone{};
constexpr SourceBits kNegA{.negate = 72};
constexpr SourceBits kNegLow{.negate = 63};
constexpr SourceBits kNegHigh{.negate = 75};

constexpr std::string_view kIntCompare[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
constexpr std::string_view kBool[] = {"AND", "OR", "XOR"};

void carry_dest(TextWriter& w, unsigned at) {
    if (w.bits(at, 3) != 7) w.arg(w.pred(at));
}

void mov(TextWriter& w) {
    w.dest();
    w.b(kNone, kNone, Imm::Unsigned);
    if (!w.uniform() && w.bits(72, 4) != 15) w.arg(w.hex(static_cast<std::int64_t>(w.bits(72, 4))));
}

void sel(TextWriter& w) {
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.arg(w.pred_source(87));
}

void isetp(TextWriter& w) {
    w.mod_of(w.bits(76, 3), kIntCompare);
    w.mod_if(!w.bit(73), "U32");
    w.mod_of(w.bits(74, 2), kBool);
    w.mod_if(w.bit(72), "EX");
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.a();
    w.b(kNone, kNone, Imm::Signed);
    w.arg(w.pred_source(87));
    if (w.bit(72)) w.arg(w.pred_source(68));
}

void iadd3(TextWriter& w) {
    const bool x = w.bit(74);
    w.mod_if(x, "X");
    w.dest();
    carry_dest(w, 81);
    carry_dest(w, 84);
    SourceBits a = kNegA, low = kNegLow, high = kNegHigh;
    a.complement = low.complement = high.complement = x;
    w.a(a);
    w.b(low, high, Imm::Signed);
    w.c(low, high, Imm::Signed);
    if (x) {
        w.arg(w.pred_source(87));
        w.arg(w.pred_source(77));
    }
}

void iadd3_64(TextWriter& w) {
    w.mod("64");
    w.dest();
    carry_dest(w, 81);
    carry_dest(w, 84);
    w.a(kNegA);
    w.b(kNegLow, kNegHigh, Imm::Signed);
    w.c(kNegLow, kNegHigh, Imm::Signed);
}

// nvdisasm names the common special cases of a multiply-add after what they do.
enum class ImadKind { Plain, Mov, Iadd, Shl };

ImadKind imad_kind(TextWriter& w) {
    if (w.bit(74)) return ImadKind::Plain;
    const bool a_zero = w.bits(24, 8) == 255;
    const bool c_zero =
        w.form() == kRegReg || w.form() == kImmB || w.form() == kConstB || w.form() == kUniformB
            ? w.bits(64, 8) == 255
            : false;
    const bool b_zero =
        (w.form() == kRegReg && w.bits(32, 8) == 255) ||
        ((w.form() == kImmC || w.form() == kConstC || w.form() == kUniformC) && w.bits(64, 8) == 255);
    if (a_zero && b_zero) return ImadKind::Mov;
    if (w.form() != kImmB) return ImadKind::Plain;
    const auto imm = w.bits(32, 32);
    if (imm == 1) return ImadKind::Iadd;
    if (c_zero && imm != 0 && (imm & (imm - 1)) == 0) return ImadKind::Shl;
    return ImadKind::Plain;
}

void imad_operands(TextWriter& w) {
    w.dest();
    carry_dest(w, 81);
    w.a();
    SourceBits low = kNegLow, high = kNegHigh;
    low.complement = high.complement = w.bit(74);
    w.b(low, kNone, Imm::Signed);
    w.c(low, high, Imm::Signed);
    if (w.bit(74)) w.arg(w.pred_source(87));
}

void imad(TextWriter& w) {
    const bool is_signed = w.bit(73);
    if (!w.uniform()) {
        switch (imad_kind(w)) {
            case ImadKind::Mov:
                // With a uniform register or bank as the addend nvdisasm prints the plain multiply-add.
                if (w.form() != kUniformC) w.mod("MOV");
                break;
            case ImadKind::Iadd:
                w.mod("IADD");
                break;
            case ImadKind::Shl:
                w.mod("SHL");
                break;
            case ImadKind::Plain:
                break;
        }
    }
    if (w.bit(74))
        w.mod("X");
    else
        w.mod_if(!is_signed, "U32");
    imad_operands(w);
}

void imad_wide(TextWriter& w) {
    w.mod("WIDE");
    w.mod_if(!w.bit(73), "U32");
    w.mod_if(w.bit(74), "X");
    imad_operands(w);
}

void imad_hi(TextWriter& w) {
    w.mod("HI");
    w.mod_if(!w.bit(73), "U32");
    w.mod_if(w.bit(74), "X");
    imad_operands(w);
}

void lea(TextWriter& w) {
    const bool high = w.bit(80);
    const bool x = w.bit(74);
    const bool sx32 = high && w.bit(73);
    w.mod_if(high, "HI");
    w.mod_if(x, "X");
    w.mod_if(sx32, "SX32");
    w.dest();
    carry_dest(w, 81);
    SourceBits a = kNegA, low = kNegLow;
    a.complement = low.complement = x;
    w.a(a);
    w.b(low, kNone, Imm::Signed);
    if (high && !sx32) w.c(low, kNone, Imm::Signed);
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(75, 5))));
    if (x) w.arg(w.pred_source(87));
}

void lop3(TextWriter& w) {
    w.mod("LUT");
    w.mod_if(w.bit(80), "PAND");
    if (w.bits(81, 3) != 7) w.arg(w.pred(81));
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.c(kNone, kNone, Imm::Unsigned);
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(72, 8))));
    w.arg(w.pred_source(87));
}

void unary_integer(TextWriter& w) {
    w.dest();
    w.b({.negate = 63, .complement = true}, kNone, Imm::Unsigned);
}

void iabs(TextWriter& w) {
    w.dest();
    w.b(kNone, kNone, Imm::Signed);
}

void prmt(TextWriter& w) {
    w.mod_of(w.bits(72, 3), {"", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"});
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.c(kNone, kNone, Imm::Unsigned);
}

void minmax(TextWriter& w) {
    w.mod_if(!w.bit(73) && w.sm() < 90, "U32");
    w.mod_if(!w.bit(72) && w.sm() >= 90, "U32");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Signed);
    w.arg(w.pred_source(87));
}

void viaddmnmx(TextWriter& w) {
    w.mod_if(!w.bit(73), "U32");
    w.dest();
    w.a();
    w.b(kNone, kNone, w.bit(73) ? Imm::Signed : Imm::Unsigned);
    w.c(kNone, kNone, w.bit(73) ? Imm::Signed : Imm::Unsigned);
    w.arg(w.pred_source(87));
}

void shf(TextWriter& w) {
    w.mod(w.bit(76) ? "R" : "L");
    w.mod_if(w.bit(75), "W");
    w.mod_of(w.bits(73, 2), {"S64", "U64", "S32", "U32"});
    w.mod_if(w.bit(80), "HI");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.c(kNone, kNone, Imm::Unsigned);
}

void sgxt(TextWriter& w) {
    w.mod_if(w.bit(75), "W");
    w.mod_if(!w.bit(73), "U32");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void bmsk(TextWriter& w) {
    w.mod_if(w.bit(75), "W");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void plop3(TextWriter& w) {
    w.mod("LUT");
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.arg(w.pred_source(87));
    w.arg(w.pred_source(77));
    w.arg(w.bit(67) ? TextWriter::uniform_pred(w.bits(68, 3), w.bit(71)) : w.pred_source(68));
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(72, 5) << 3 | w.bits(64, 3))));
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(16, 8))));
}

void plop3_signs(TextWriter& w) {
    w.mod("LUT");
    w.arg(w.pred(81));
    w.arg(w.pred(84));
    w.source(24, {}, 0, ".SIGN");
    w.source(32, {}, 1, ".SIGN");
    w.source(64, {}, 2, ".SIGN");
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(72, 8))));
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(16, 8))));
}

void vabsdiff(TextWriter& w) {
    w.mod_if(!w.bit(73), "U32");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.c(kNone, kNone, Imm::Unsigned);
}

void idp(TextWriter& w) {
    w.mod("4A");
    w.mod(w.bit(73) ? "S8" : "U8");
    w.mod(w.bit(74) ? "S8" : "U8");
    w.dest();
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
    w.c(kNone, kNone, Imm::Unsigned);
}

void viadd(TextWriter& w) {
    w.dest();
    w.a(kNegA);
    w.b(kNegLow, kNone, Imm::Unsigned);
}

void p2r(TextWriter& w) {
    w.dest();
    w.arg("PR");
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void r2p(TextWriter& w) {
    w.arg("PR");
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void up2ur(TextWriter& w) {
    w.dest();
    w.arg("UPR");
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void ur2up(TextWriter& w) {
    w.arg("UPR");
    w.a();
    w.b(kNone, kNone, Imm::Unsigned);
}

void flo(TextWriter& w) {
    w.mod_if(!w.bit(73), "U32");
    w.mod_if(w.bit(74), "SH");
    w.dest();
    carry_dest(w, 81);
    w.b({.negate = 63, .complement = true}, kNone, Imm::Unsigned);
}

const TextRow kRows[] = {
    {0x002, mov},   {0x003, p2r},           {0x004, r2p},           {0x007, sel},
    {0x00c, isetp}, {0x010, iadd3},         {0x011, lea},           {0x012, lop3},
    {0x013, iabs},  {0x014, vabsdiff},      {0x015, vabsdiff},      {0x00f, viaddmnmx},
    {0x016, prmt},  {0x017, minmax},        {0x048, minmax},        {0x046, viaddmnmx},
    {0x019, shf},   {0x01a, sgxt},          {0x01b, bmsk},          {0x01c, plop3},
    {0x01f, plop3_signs},
    {0x024, imad},  {0x025, imad_wide},     {0x026, idp},           {0x027, imad_hi},
    {0x036, viadd}, {0x100, flo},           {0x101, unary_integer}, {0x109, unary_integer},
    {0x082, mov},   {0x083, up2ur},         {0x084, ur2up},         {0x087, sel},
    {0x08c, isetp}, {0x090, iadd3},         {0x091, lea},           {0x092, lop3},
    {0x096, prmt},  {0x097, iadd3_64},      {0x099, shf},           {0x09a, sgxt},
    {0x09b, bmsk},  {0x09c, plop3},         {0x0a4, imad},          {0x0a5, imad_wide},
    {0x0bd, flo},   {0x0be, unary_integer}, {0x0bf, unary_integer},
};

}  // namespace

std::span<const TextRow> integer_text() {
    return kRows;
}

}  // namespace cubinlab::sass
