// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point arithmetic on vector registers: single, packed half, double.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAll = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);
constexpr std::uint8_t kFormsSecond = forms(1, 2, 3, 7);

constexpr SourceBits kA{.negate = 72, .absolute = 73};
constexpr SourceBits kLow{.negate = 63, .absolute = 62};
constexpr SourceBits kHigh{.negate = 75, .absolute = 74};
constexpr Sources kSingle{kA, kLow, kHigh, kHigh, Imm::Float};
constexpr Sources kDouble{kA, kLow, kHigh, kHigh, Imm::Double};

constexpr SourceBits kHalfA{.negate = 72, .absolute = 73, .swizzle = 74};
constexpr SourceBits kHalfLow{.negate = 63, .absolute = 62, .swizzle = 60};
constexpr SourceBits kHalfHigh{.negate = 84, .absolute = 83, .swizzle = 81};
constexpr Sources kHalves{kHalfA, kHalfLow, kHalfHigh, kHalfHigh, Imm::Halves};
constexpr Sources kBrains{kHalfA, kHalfLow, kHalfHigh, kHalfHigh, Imm::BrainHalves};

constexpr std::string_view kCompare = "F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T";
constexpr std::string_view kBool = "AND|OR|XOR";
constexpr std::string_view kRound = "|RM|RP|RZ";

Layout& single(Layout& l) {
    return l.flag(80, "FTZ").mod(78, 2, kRound).flag(77, "SAT").d();
}

// Multiplies or divides the product by a power of two; 4 is the factor 1.
void fmul(Layout& l) {
    l.flag(80, "FTZ")
        .mod(84, 3, "INVALID0|D8|D4|D2||M2|M4|M8")
        .mod(78, 2, kRound)
        .flag(77, "SAT")
        .d()
        .ab(kSingle);
}

// Of three operands. The predicate selects minimum or maximum.
void fmnmx3(Layout& l) {
    if (l.bits(76, 4) != 0 || l.bits(82, 5) != 0) l.unverified();
    l.flag(80, "FTZ").flag(81, "NAN").d().abc(kSingle).p(87);
}

// Bit 81 of FADD and FFMA: the first factors are halves, of the type in bit 82.
bool is_mixed(const Layout& l) {
    return l.sm() >= 100 && l.bit(81);
}

void fadd(Layout& l) {
    if (is_mixed(l)) l.rename("FHADD").flag(82, "BF16");
    single(l).a(kSingle).second(kSingle);
}

void ffma(Layout& l) {
    if (is_mixed(l)) l.rename("FHFMA").flag(82, "BF16");
    single(l).abc(kSingle);
}

// Two floats in a register pair.
constexpr std::string_view kPairText = ".F32x2.HI_LO";

Layout& float_pair(Layout& l) {
    return l.flag(80, "FTZ").mod(78, 2, kRound).d(2).slot(24, Role::A, 2, kPairText);
}

void pair_second(Layout& l, Role role) {
    if (l.form() == kRegReg)
        l.slot(32, role, 2, kPairText);
    else
        l.b_or_c_uniform(role, 2).glue(kPairText);
}

void ffma2(Layout& l) {
    float_pair(l);
    pair_second(l, Role::B);
    l.slot(64, Role::C, 2, kPairText);
}

void fmul2(Layout& l) {
    pair_second(float_pair(l), Role::B);
}

void fadd2(Layout& l) {
    pair_second(float_pair(l), Role::C);
}

// The uniform datapath of sm_120 has floats: the second summand is in slot c.
void ufadd(Layout& l) {
    single(l).a(kSingle);
    if (l.form() == kImmC)
        l.second(kSingle);
    else
        l.slot(64, Role::C, 1, {}, kHigh);
}

void fsel(Layout& l) {
    l.flag(80, "FTZ").d().ab(kSingle).p(87);
}

void fset(Layout& l) {
    l.flag(75, "BF").mod(76, 4, kCompare).flag(80, "FTZ").mod("AND").d().ab(kSingle).p(87);
}

void fsetp(Layout& l) {
    l.mod(76, 4, kCompare).flag(80, "FTZ").mod(74, 2, kBool).result(81).result(84).ab(kSingle).p(87);
}

// For each lane of a quad, in 32-39: whether a and c are added, or one is omitted or negated.
void fswzadd(Layout& l) {
    static constexpr std::string_view kSigns[4] = {"PP", "PN", "NP", "ZP"};
    l.flag(80, "FTZ").mod(78, 2, kRound).flag(77, "NDV").d().slot(24, Role::A).slot(64, Role::C);
    std::string signs;
    for (unsigned lane = 4; lane-- > 0;)
        signs += kSigns[l.bits(32 + 2 * lane, 2)];
    l.arg(signs);
}

Layout& halves(Layout& l) {
    return l.flag(85, "BF16_V2").flag(78, "F32").flag(80, "FTZ").flag(77, "SAT").d();
}

// Immediates have the type of the operation.
const Sources& half_sources(const Layout& l) {
    return l.bit(85) ? kBrains : kHalves;
}

void hfma2(Layout& l) {
    halves(l.flag(79, "RELU")).abc(half_sources(l));
    if (l.bit(79)) l.p_if_used(87);
}

// Minimum or maximum (by predicate) of b and c, and of a and that result: 81 and 82 as in HMNMX2.
void half_min_max_3(Layout& l) {
    constexpr SourceBits kThird{.negate = 84, .absolute = 83, .swizzle = 76};
    constexpr Sources kThreeHalves{kHalfA, kHalfLow, {}, kThird, Imm::Halves};
    constexpr Sources kThreeBrains{kHalfA, kHalfLow, {}, kThird, Imm::BrainHalves};
    if (l.bits(78, 2) != 0 || l.bit(86)) l.unverified();
    l.flag(85, "BF16_V2").flag(80, "FTZ").flag(81, "NAN").flag(82, "XORSIGN");
    l.d().abc(l.bit(85) ? kThreeBrains : kThreeHalves).p(87);
}

Layout& half_compare(Layout& l) {
    return l.mod(76, 4, kCompare).flag(80, "FTZ").mod(69, 2, kBool);
}

void hset2(Layout& l) {
    half_compare(l.flag(71, "BF")).d().a(kHalves).second(kHalves).p(87);
}

void hsetp2(Layout& l) {
    half_compare(l.flag(71, "H_AND")).result(81).result(84).a(kHalves).second(kHalves).p(87);
}

Layout& doubles(Layout& l) {
    return l.mod(78, 2, kRound).d(2).a(kDouble, 2);
}

void dmul(Layout& l) {
    doubles(l).b(kDouble, 2);
}

void dfma(Layout& l) {
    doubles(l).b(kDouble, 2).c(kDouble, 2);
}

void dadd(Layout& l) {
    if (doubles(l).form() == kRegReg)
        l.slot(64, Role::C, 2, {}, kHigh);
    else
        l.second(kDouble, 2);
}

void dsetp(Layout& l) {
    l.mod(76, 4, kCompare).mod(74, 2, kBool).result(81).result(84).a(kDouble, 2).second(kDouble, 2).p(87);
}

constexpr std::uint32_t kXu = Trait::VariableLatency | Trait::InOrderXu;
// FP64 signals a scoreboard, in order, up to sm_89, on sm_103 and on sm_120; on sm_90 and sm_100 it has a fixed latency.
constexpr std::uint32_t kFp64Scoreboard = Trait::VariableLatency | Trait::InOrderFp64;

const OpcodeRow kRows[] = {
    {0x008, kFormsB, "FSEL", Unit::Alu, 0, fsel},
    {0x009, kFormsB, "FMNMX", Unit::Alu, 0, fsel},
    {0x00a, kFormsB, "FSET", Unit::Alu, 0, fset},
    {0x00b, kFormsB, "FSETP", Unit::Alu, 0, fsetp},
    {0x076, kAll, "FMNMX3", Unit::Alu, 0, fmnmx3, 100},
    {0x020, kFormsB, "FMUL", Unit::Fma, 0, fmul},
    {0x021, kFormsSecond, "FADD", Unit::Fma, 0, fadd},
    {0x022, forms(4), "FSWZADD", Unit::Fma, bit_of(Trait::WarpWide), fswzadd},
    {0x023, kAll, "FFMA", Unit::Fma, 0, ffma},
    // sm_120 has UVIMNMX in the place of FMUL2.
    {0x049, forms(1, 6), "FFMA2", Unit::Fma, 0, ffma2, 100, 119},
    {0x04a, forms(1), "FMUL2", Unit::Fma, 0, fmul2, 100, 119},
    {0x04b, forms(1, 7), "FADD2", Unit::Fma, 0, fadd2, 100, 119},
    {0x051, forms(1, 4), "UFSEL", Unit::Udp, 0, fsel, 120},
    {0x053, forms(1, 4), "UFSETP", Unit::Udp, 0, fsetp, 120},
    {0x054, forms(1, 2), "UFADD", Unit::Udp, 0, ufadd, 120},
    {0x055, forms(1, 2, 4), "UFFMA", Unit::Udp, 0, [](Layout& l) { single(l).abc(kSingle); }, 120},
    {0x056, forms(1, 4), "UFMUL", Unit::Udp, 0, fmul, 120},
    // Range check before a division or square root: the predicate selects the slow path.
    {0x102, kFormsB, "FCHK", Unit::Xu, kXu, [](Layout& l) { l.mod("DIVIDE").result(81).ab(kSingle); }},
    {0x108, kFormsB, "MUFU", Unit::Xu, kXu,
     [](Layout& l) { l.mod(74, 4, "COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH").d().b(kSingle); }},

    {0x030, kAll, "HADD2", Unit::Fp16, 0, [](Layout& l) { halves(l).a(kHalves).second(half_sources(l)); }},
    {0x031, kAll, "HFMA2", Unit::Fp16, 0, hfma2},
    {0x032, kFormsB, "HMUL2", Unit::Fp16, 0, [](Layout& l) { halves(l).ab(half_sources(l)); }},
    {0x033, kAll, "HSET2", Unit::Fp16, 0, hset2},
    {0x034, kAll, "HSETP2", Unit::Fp16, 0, hsetp2},
    {0x035, kAll, "HFMA2", Unit::H2Mma, 0, [](Layout& l) { hfma2(l.mod("MMA")); }, 80, 119},
    {0x040, kFormsB, "HMNMX2", Unit::Alu, 0,
     [](Layout& l) { l.flag(85, "BF16_V2").d().ab(half_sources(l)).p(87); }, 80},
    {0x047, forms(1, 4, 5), "VHMNMX", Unit::Alu, 0, half_min_max_3, 90},

    {0x028, kFormsB, "DMUL", Unit::Fp64, kFp64Scoreboard, dmul, 75, 89},
    {0x028, kFormsB, "DMUL", Unit::Fp64, 0, dmul, 90, 102},
    {0x028, kFormsB, "DMUL", Unit::Fp64, kFp64Scoreboard, dmul, 103, 103},
    {0x028, kFormsB, "DMUL", Unit::Fp64, 0, dmul, 104, 119},
    {0x028, kFormsB, "DMUL", Unit::Fp64, kFp64Scoreboard, dmul, 120},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, kFp64Scoreboard, dadd, 75, 89},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, 0, dadd, 90, 102},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, kFp64Scoreboard, dadd, 103, 103},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, 0, dadd, 104, 119},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, kFp64Scoreboard, dadd, 120},
    {0x02a, kAll, "DSETP", Unit::Fp64, kFp64Scoreboard, dsetp, 75, 89},
    {0x02a, kAll, "DSETP", Unit::Fp64, 0, dsetp, 90, 102},
    {0x02a, kAll, "DSETP", Unit::Fp64, kFp64Scoreboard, dsetp, 103, 103},
    {0x02a, kAll, "DSETP", Unit::Fp64, 0, dsetp, 104, 119},
    {0x02a, kAll, "DSETP", Unit::Fp64, kFp64Scoreboard, dsetp, 120},
    {0x02b, kAll, "DFMA", Unit::Fp64, kFp64Scoreboard, dfma, 75, 89},
    {0x02b, kAll, "DFMA", Unit::Fp64, 0, dfma, 90, 102},
    {0x02b, kAll, "DFMA", Unit::Fp64, kFp64Scoreboard, dfma, 103, 103},
    {0x02b, kAll, "DFMA", Unit::Fp64, 0, dfma, 104, 119},
    {0x02b, kAll, "DFMA", Unit::Fp64, kFp64Scoreboard, dfma, 120},
};

}  // namespace

std::span<const OpcodeRow> float_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
