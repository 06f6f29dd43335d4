// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point arithmetic on vector registers: single, packed half, double.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAllForms = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);
constexpr std::uint8_t kFormsSecond = forms(1, 2, 3, 7);
constexpr std::uint8_t kFormsEither = forms(1, 2, 3, 4, 5, 6, 7);

void ab(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
}

void abc(OperandReader& r) {
    ab(r);
    r.source_c(1);
}

void second(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_second(1);
}

void ab_pred(OperandReader& r) {
    ab(r);
    r.pred(87);
}

void second_pred(OperandReader& r) {
    second(r);
    r.pred(87);
}

void setp(OperandReader& r) {
    r.pred_def(81);
    r.pred_def(84);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.pred(87);
}

void setp_second(OperandReader& r) {
    r.pred_def(81);
    r.pred_def(84);
    r.gpr(24, 1, Role::A);
    r.source_second(1);
    r.pred(87);
}

// Range check before a division or square root: a predicate says whether the slow path is needed.
void fchk(OperandReader& r) {
    r.pred_def(81);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
}

void fswzadd(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.gpr(64, 1, Role::C);
}

void dadd(OperandReader& r) {
    r.gpr_def(16, 2);
    r.gpr(24, 2, Role::A);
    if (r.form() == kRegReg)
        r.gpr(64, 2, Role::C);
    else
        r.source_second(2);
}

void dmul(OperandReader& r) {
    r.gpr_def(16, 2);
    r.gpr(24, 2, Role::A);
    r.source_b(2);
}

void dfma(OperandReader& r) {
    dmul(r);
    r.source_c(2);
}

void dsetp(OperandReader& r) {
    r.pred_def(81);
    r.pred_def(84);
    r.gpr(24, 2, Role::A);
    r.source_second(2);
    r.pred(87);
}

// FP64 answers through a scoreboard, in order, up to sm_89; on sm_90 it has a fixed latency.
constexpr std::uint32_t kFp64Scoreboard = Trait::VariableLatency | Trait::InOrderFp64;
constexpr std::uint32_t kXu = Trait::VariableLatency | Trait::InOrderXu;

const OpcodeRow kRows[] = {
    {0x008, kFormsB, "FSEL", Unit::Alu, 0, ab_pred},
    {0x009, kFormsB, "FMNMX", Unit::Alu, 0, ab_pred},
    {0x00a, kFormsB, "FSET", Unit::Alu, 0, ab_pred},
    {0x00b, kFormsB, "FSETP", Unit::Alu, 0, setp},
    {0x020, kFormsB, "FMUL", Unit::Fma, 0, ab},
    {0x021, kFormsSecond, "FADD", Unit::Fma, 0, second},
    {0x022, forms(4), "FSWZADD", Unit::Fma, bit_of(Trait::WarpWide), fswzadd},
    {0x023, kAllForms, "FFMA", Unit::Fma, 0, abc},
    {0x102, kFormsB, "FCHK", Unit::Xu, kXu, fchk},

    {0x030, kFormsEither, "HADD2", Unit::Fp16, 0, second},
    {0x031, kAllForms, "HFMA2", Unit::Fp16, 0, abc},
    {0x032, kFormsB, "HMUL2", Unit::Fp16, 0, ab},
    {0x033, kFormsEither, "HSET2", Unit::Fp16, 0, second_pred},
    {0x034, kFormsEither, "HSETP2", Unit::Fp16, 0, setp_second},
    {0x035, kAllForms, "HFMA2", Unit::H2Mma, 0, abc, 80},
    {0x040, kFormsB, "HMNMX2", Unit::Alu, 0, ab_pred, 80},

    {0x028, kFormsB, "DMUL", Unit::Fp64, kFp64Scoreboard, dmul, 75, 89},
    {0x028, kFormsB, "DMUL", Unit::Fp64, 0, dmul, 90, 90},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, kFp64Scoreboard, dadd, 75, 89},
    {0x029, kFormsSecond, "DADD", Unit::Fp64, 0, dadd, 90, 90},
    {0x02a, kFormsEither, "DSETP", Unit::Fp64, kFp64Scoreboard, dsetp, 75, 89},
    {0x02a, kFormsEither, "DSETP", Unit::Fp64, 0, dsetp, 90, 90},
    {0x02b, kAllForms, "DFMA", Unit::Fp64, kFp64Scoreboard, dfma, 75, 89},
    {0x02b, kAllForms, "DFMA", Unit::Fp64, 0, dfma, 90, 90},
};

}  // namespace

std::span<const OpcodeRow> float_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
