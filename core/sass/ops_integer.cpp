// SPDX-License-Identifier: GPL-3.0-or-later
// Integer, logic and predicate instructions. Most exist for vector registers and for the uniform datapath
// (one value per warp, registers UR and predicates UP) with the same fields.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAll = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);
constexpr std::uint8_t kUniformAll = forms(1, 2, 4);
constexpr std::uint8_t kUniformFormsB = forms(1, 4);

constexpr SourceBits kNegLow{.negate = 63}, kNotLow{.negate = 63, .complement = true};
constexpr SourceBits kNegHigh{.negate = 75}, kNotHigh{.negate = 75, .complement = true};

constexpr Sources kBits{};
constexpr Sources kSigned{.imm = Imm::Signed};
constexpr Sources kAdd{{.negate = 72}, kNegLow, kNegHigh, kNegHigh, Imm::Signed};
constexpr Sources kAddX{{.negate = 72, .complement = true}, kNotLow, kNotHigh, kNotHigh, Imm::Signed};
constexpr Sources kMultiply{{}, kNegLow, {}, kNegHigh, Imm::Signed};
constexpr Sources kMultiplyX{{}, kNotLow, {}, kNotHigh, Imm::Signed};
constexpr Sources kShiftAdd{{.negate = 72}, kNegLow, {}, {}, Imm::Signed};
constexpr Sources kShiftAddX{{.negate = 72, .complement = true}, kNotLow, {}, {}, Imm::Signed};
constexpr Sources kViadd{.a = {.negate = 72}, .low = kNegLow};
constexpr Sources kUnary{.low = kNotLow};

constexpr std::string_view kBool = "AND|OR|XOR";

void unary(Layout& l) {
    l.d().b(kUnary);
}

// Bits 72-75 select lanes of each quad; other lanes keep the old value. Bit 80 (sm_120): a register pair.
void mov(Layout& l) {
    const bool all = l.bits(72, 4) == 15, wide = l.bit(80);
    const unsigned count = wide ? 2 : 1;
    if (wide && (l.sm() < 100 || !all)) l.unverified();
    l.add(RegFile::Gpr, l.bits(16, 8), count, Role::Dest, !all, true);
    l.mod_if(wide, "64");
    if (l.writing()) l.arg(l.name(RegFile::Gpr, 16));
    l.b(kBits, count);
    if (!all) l.imm(72, 4);
}

// The immediate has 64 bits: 24-87.
void mov_immediate_64(Layout& l) {
    l.mod("64").d(2).number_64(l.bits(24, 40) | l.bits(64, 24) << 40);
}

// Forms 1 (a pair of uniform registers) and 4 to 6 of MOV and UMOV have the 32-bit meanings.
void umov(Layout& l) {
    const bool wide = l.sm() >= 100 && l.bit(80);
    l.mod_if(wide, "64").d(wide ? 2 : 1).b(kBits, wide ? 2 : 1);
}

// Register pairs. b is a pair at 32 (form 3; form 7 uniform; form 6 of USEL) or a sign-extended immediate (form 2: bit 64).
void select_64(Layout& l) {
    l.mod("64").d(2).a(kBits, 2);
    if (l.form() == kConstC || l.uniform())
        l.slot(32, Role::B, 2);
    else if (l.form() == kUniformC)
        l.b_or_c_uniform(Role::B, 2);
    else
        l.number(static_cast<std::int64_t>(l.bits(32, 32) | (l.bit(64) ? ~0ull << 32 : 0)));
    if (l.form() == kImmC && l.bits(65, 7) != 0) l.unverified();
    l.p(87);
}

// Minimum or maximum of register pairs, with unused predicates.
void imnmx_64(Layout& l) {
    if (!l.bit(74) || l.bits(75, 2) != 0) l.unverified();
    l.mod(73, 1, "U64|S64").result(81).result(84).d(2).a(kBits, 2).b(kBits, 2).p(87).p(77);
}

// Register pairs of sm_120, with a carry out, and with .X a carry in.
void iadd_64(Layout& l) {
    const bool x = l.bit(74);
    if (!l.bit(73) || l.bits(75, 5) != 0) l.unverified();
    const Sources& s = x ? kAddX : kAdd;
    l.mod("64").mod_if(x, "X").d(2).carry(81).a(s, 2).b(s, 2);
    if (x) l.p(87);
}

// Two carry outputs; with .X two carry inputs.
void iadd3(Layout& l) {
    const bool x = l.bit(74), shown = l.sm() >= 100;
    l.mod_if(x, "X").d().carry(81, shown).carry(84, shown).abc(x ? kAddX : kAdd);
    if (x) l.p(87).p(77);
}

// As iadd3, for register pairs.
void uiadd3_64(Layout& l) {
    const bool x = l.bit(74);
    const Sources& s = x ? kAddX : kAdd;
    const bool shown = l.sm() >= 100;
    l.mod("64").mod_if(x, "X").d(2).carry(81, shown).carry(84, shown).a(s, 2).b(s, 2).c(s, 2);
    if (x) l.p(87).p(77);
}

// nvdisasm names common special cases of a multiply-add by their effect. With a uniform register or bank as
// the addend it prints the plain multiply-add.
const char* imad_name(const Layout& l) {
    const unsigned form = l.form();
    const bool b_high = form == kImmC || form == kConstC || form == kUniformC;
    const bool b_zero = b_high ? l.bits(64, 8) == 255 : form == kRegReg && l.bits(32, 8) == 255;
    if (l.bits(24, 8) == 255 && b_zero) return form == kUniformC ? "" : "MOV";
    if (form != kImmB) return "";
    const auto imm = l.bits(32, 32);
    if (imm == 1) return "IADD";
    return l.bits(64, 8) == 255 && imm != 0 && (imm & (imm - 1)) == 0 ? "SHL" : "";
}

void imad_operands(Layout& l, unsigned result, unsigned addend) {
    const bool x = l.bit(74);
    const Sources& s = x ? kMultiplyX : kMultiply;
    l.d(result).carry(81).ab(s).c(s, addend);
    if (x) l.p(87);
}

void imad(Layout& l) {
    const bool x = l.bit(74);
    if (!x && !l.uniform()) l.mod(imad_name(l));
    l.mod(x ? "X" : l.bit(73) ? "" : "U32");
    imad_operands(l, 1, 1);
}

void imad_wide(Layout& l) {
    l.mod("WIDE").unless(73, "U32").flag(74, "X");
    imad_operands(l, 2, 2);
}

// The addend of the high product has 64 bits.
void imad_hi(Layout& l) {
    l.mod("HI").unless(73, "U32").flag(74, "X");
    imad_operands(l, 1, 2);
}

// .HI takes the upper half of the shifted value from c, .SX32 the sign.
void lea(Layout& l) {
    const bool high = l.bit(80), x = l.bit(74), extends = high && l.bit(73);
    const Sources& s = x ? kShiftAddX : kShiftAdd;
    l.mod_if(high, "HI").mod_if(x, "X").mod_if(extends, "SX32").d().carry(81).ab(s);
    if (high) l.shown(!extends).c(s).shown(true);
    l.imm(75, 5);
    if (x) l.p(87);
}

// From sm_100 on bit 80: pairs of registers.
void isetp(Layout& l) {
    const bool wide = l.sm() >= 100 && l.bit(80);
    l.mod(76, 3, "F|LT|EQ|LE|GT|NE|GE|T").mod_if(wide, l.bit(73) ? "S64" : "U64");
    l.mod_if(!wide && !l.bit(73), "U32").mod(74, 2, kBool).flag(72, "EX");
    l.result(81).result(84).a(kSigned, wide ? 2 : 1).b(kSigned, wide ? 2 : 1).p(87);
    if (l.bit(72))
        l.p(68);  // .EX: result of the comparison of the low halves
    else
        l.p_if_used(68);
}

void lop3(Layout& l) {
    l.mod("LUT").flag(80, "PAND").carry(81).d().abc(kBits).imm(72, 8).p(87);
}

// VIMNMX reports for each half which operand it selected: __vibmax_s16x2 and similar.
void vector_min_max(Layout& l, bool add) {
    const bool is_signed = l.bit(72), pairs = l.bit(73);
    l.mod(pairs ? (is_signed ? "S16x2" : "U16x2") : is_signed ? "" : "U32").flag(76, "RELU").d();
    if (!add) l.carry(81, l.sm() >= 100).carry(84, l.sm() >= 100);
    const Sources& s = is_signed || !add ? kSigned : kBits;
    (add ? l.abc(s) : l.ab(s)).p(87);
}

void uniform_min_max(Layout& l) {
    // 81 and 84: UPT on sm_120.
    const std::uint64_t results = l.bits(81, 6);
    if (l.bits(73, 8) != 0 || (results != 0 && results != 0x3f)) l.unverified();
    l.mod(72, 1, "U32|S32").d().ab(kSigned).p(87);
}

// Of three operands.
void min_max_3(Layout& l) {
    if (l.bits(74, 2) != 0 || l.bits(77, 10) != 0) l.unverified();
    vector_min_max(l, true);
}

void shf(Layout& l) {
    l.mod(76, 1, "L|R").flag(75, "W").mod(73, 2, "S64|U64|S32|U32").flag(80, "HI").d().abc(kBits);
}

void prmt(Layout& l) {
    l.mod(72, 3, "|F4E|B4E|RC8|ECL|ECR|RC16").d().abc(kBits);
}

void sgxt(Layout& l) {
    l.flag(75, "W").unless(73, "U32").d().ab(kBits);
}

void bmsk(Layout& l) {
    l.flag(75, "W").d().ab(kBits);
}

void select(Layout& l) {
    l.d().ab(kBits).p(87);
}

void vabsdiff(Layout& l) {
    l.unless(73, "U32").d().carry(81).abc(kBits);
}

void vabsdiff4(Layout& l) {
    l.unless(73, "U8").flag(75, "ACC").d().carry(81).abc(kBits);
}

void plop3(Layout& l) {
    l.mod("LUT").result(81).result(84).p(87).p(77);
    l.pred(l.uniform() || l.bit(67) ? RegFile::UPred : RegFile::Pred, 68);
    l.number(static_cast<std::int64_t>(l.bits(72, 5) << 3 | l.bits(64, 3))).imm(16, 8);
}

// As above for the signs of three operands; the second is a register or from a constant bank.
void plop3_signs(Layout& l) {
    if (l.bits(87, 4) != 0) l.unverified();
    l.mod("LUT").result(81).result(84).slot(24, Role::A, 1, ".SIGN");
    if (l.form() == kRegReg)
        l.slot(32, Role::B, 1, ".SIGN");
    else
        l.b(kBits).glue(".SIGN");
    l.slot(64, Role::C, 1, ".SIGN");
    l.imm(72, 8).imm(16, 8);
}

// The predicates of an immediate mask; a mask in a register may select any of them.
void mask_preds(Layout& l, bool written) {
    if (l.form() != kImmB) {
        l.all_preds(written);
        return;
    }
    for (unsigned i = 0; i < 7; ++i)
        if (l.bit(32 + i))
            l.add(l.uniform() ? RegFile::UPred : RegFile::Pred, i, 1, written ? Role::PredDest : Role::PredSource, !written, written,
                  Rank::Predicate);
}

void preds_to_register(Layout& l) {
    l.d().arg(l.uniform() ? "UPR" : "PR").ab(kBits);
    mask_preds(l, false);
}

void register_to_preds(Layout& l) {
    l.arg(l.uniform() ? "UPR" : "PR").ab(kBits);
    mask_preds(l, true);
}

void leading_one(Layout& l) {
    l.unless(73, "U32").flag(74, "SH").d().carry(81).b(kUnary);
}

constexpr std::uint32_t kXu = Trait::VariableLatency | Trait::InOrderXu;

const OpcodeRow kRows[] = {
    {0x002, kFormsB, "MOV", Unit::Alu, 0, mov},
    {0x002, forms(2), "MOV", Unit::Alu, 0, mov_immediate_64, 120},
    {0x003, kFormsB, "P2R", Unit::Alu, 0, preds_to_register},
    {0x004, kFormsB, "R2P", Unit::Alu, 0, register_to_preds},
    {0x007, kFormsB, "SEL", Unit::Alu, 0, select},
    {0x007, forms(2, 3, 7), "SEL", Unit::Alu, 0, select_64, 120},
    {0x00c, kFormsB, "ISETP", Unit::Alu, 0, isetp},
    {0x00f, kAll, "VIMNMX3", Unit::Alu, 0, min_max_3, 90},
    {0x010, kAll, "IADD3", Unit::Alu, 0, iadd3},
    {0x011, kAll, "LEA", Unit::Alu, 0, lea},
    {0x012, kAll, "LOP3", Unit::Alu, 0, lop3},
    {0x013, kFormsB, "IABS", Unit::Alu, 0, [](Layout& l) { l.d().b(kSigned); }},
    {0x014, kAll, "VABSDIFF", Unit::Alu, 0, vabsdiff},
    {0x015, kAll, "VABSDIFF4", Unit::Alu, 0, vabsdiff4},
    {0x016, kAll, "PRMT", Unit::Alu, 0, prmt},
    {0x017, kFormsB, "IMNMX", Unit::Alu, 0, [](Layout& l) { l.unless(73, "U32").d().ab(kSigned).p(87); }, 75,
     89},
    {0x017, forms(1, 4, 6), "IMNMX", Unit::Alu, 0, imnmx_64, 100},
    {0x048, kFormsB, "VIMNMX", Unit::Alu, 0, [](Layout& l) { vector_min_max(l, false); }, 90},
    {0x046, kAll, "VIADDMNMX", Unit::Alu, 0, [](Layout& l) { vector_min_max(l, true); }, 90},
    {0x019, kAll, "SHF", Unit::Alu, 0, shf},
    {0x01a, kFormsB, "SGXT", Unit::Alu, 0, sgxt},
    {0x01b, kFormsB, "BMSK", Unit::Alu, 0, bmsk},
    {0x01c, forms(4), "PLOP3", Unit::Alu, 0, plop3},
    {0x01f, forms(1, 5), "PLOP3", Unit::Alu, 0, plop3_signs},
    {0x024, kAll, "IMAD", Unit::Fma, 0, imad},
    {0x025, kAll, "IMAD", Unit::FmaWide, 0, imad_wide},
    {0x026, kAll, "IDP", Unit::Fma, 0,
     [](Layout& l) { l.mod("4A").mod(73, 1, "U8|S8").mod(74, 1, "U8|S8").d().abc(kBits); }},
    {0x027, kAll, "IMAD", Unit::FmaWide, 0, imad_hi},
    {0x036, kFormsB, "VIADD", Unit::Fma, 0, [](Layout& l) { l.d().ab(kViadd); }, 90},
    {0x100, kFormsB, "FLO", Unit::Xu, kXu, leading_one},
    {0x101, kFormsB, "BREV", Unit::Xu, kXu, unary},
    {0x109, kFormsB, "POPC", Unit::Xu, kXu, unary},

    {0x035, forms(1, 4, 6), "IADD", Unit::Alu, 0, iadd_64, 120},
    {0x082, forms(4, 6), "UMOV", Unit::UdpFast, 0, umov},
    {0x082, forms(2), "UMOV", Unit::UdpFast, 0, mov_immediate_64, 100},
    {0x083, kUniformFormsB, "UP2UR", Unit::Udp, 0, preds_to_register},
    {0x084, kUniformFormsB, "UR2UP", Unit::Udp, 0, register_to_preds},
    {0x087, kUniformFormsB, "USEL", Unit::Udp, 0, select},
    {0x087, forms(6), "USEL", Unit::Udp, 0, select_64, 120},
    {0x08c, kUniformFormsB, "UISETP", Unit::Udp, 0, isetp},
    {0x090, kUniformAll, "UIADD3", Unit::Udp, 0, iadd3},
    {0x091, kUniformAll, "ULEA", Unit::Udp, 0, lea},
    {0x092, kUniformAll, "ULOP3", Unit::Udp, 0, lop3},
    {0x096, kUniformAll, "UPRMT", Unit::Udp, 0, prmt},
    {0x097, kUniformAll, "UIADD3", Unit::Udp, 0, uiadd3_64, 90},
    {0x04a, forms(4), "UVIMNMX", Unit::Udp, 0, uniform_min_max, 100, 119},
    {0x04a, forms(1, 4), "UVIMNMX", Unit::Udp, 0, uniform_min_max, 120},
    {0x085, forms(1, 4), "UIMNMX", Unit::Udp, 0, imnmx_64, 120},
    {0x099, kUniformAll, "USHF", Unit::Udp, 0, shf},
    {0x09a, kUniformFormsB, "USGXT", Unit::Udp, 0, sgxt},
    {0x09b, kUniformFormsB, "UBMSK", Unit::Udp, 0, bmsk},
    {0x09c, forms(4), "UPLOP3", Unit::Udp, 0, plop3},
    {0x0a4, kUniformAll, "UIMAD", Unit::Udp, 0, imad},
    {0x0a5, kUniformAll, "UIMAD", Unit::Udp, 0, imad_wide},
    {0x0a6, kUniformAll, "UIMAD", Unit::Udp, 0, imad_hi, 120},
    {0x0bd, kUniformFormsB, "UFLO", Unit::Udp, 0, leading_one},
    {0x0be, kUniformFormsB, "UBREV", Unit::Udp, 0, unary},
    {0x0bf, kUniformFormsB, "UPOPC", Unit::Udp, 0, unary},
};

}  // namespace

std::span<const OpcodeRow> integer_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
