// SPDX-License-Identifier: GPL-3.0-or-later
// Integer and logic instructions on vector registers.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAllForms = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);

void abc(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.source_c(1);
}

void ab(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
}

void unary(OperandReader& r) {
    r.gpr_def(16, 1);
    r.source_b(1);
}

// Two carry outputs; with .X two carry inputs.
void iadd3(OperandReader& r) {
    abc(r);
    r.pred_def(81);
    r.pred_def(84);
    if (r.bit(74)) {
        r.pred(87);
        r.pred(77);
    }
}

void imad(OperandReader& r) {
    abc(r);
    r.pred_def(81);
    if (r.bit(74)) r.pred(87);
}

void imad_wide(OperandReader& r) {
    r.gpr_def(16, 2);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.source_c(2);
    r.pred_def(81);
    if (r.bit(74)) r.pred(87);
}

// The addend of the high product is 64 bits wide.
void imad_hi(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.source_c(2);
    r.pred_def(81);
    if (r.bit(74)) r.pred(87);
}

void lea(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    if (r.bit(80)) r.source_c(1);  // .HI takes the upper half of the shifted value from c
    r.pred_def(81);
    if (r.bit(74)) r.pred(87);
}

void lop3(OperandReader& r) {
    abc(r);
    r.pred_def(81);
    r.pred(87);
}

void isetp(OperandReader& r) {
    r.pred_def(81);
    r.pred_def(84);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.pred(87);
    if (r.bit(72)) r.pred(68);  // .EX: result of the comparison of the low halves
}

// Two sources and a predicate that chooses: SEL, IMNMX.
void select(OperandReader& r) {
    ab(r);
    r.pred(87);
}

void viaddmnmx(OperandReader& r) {
    abc(r);
    r.pred(87);
}

void plop3(OperandReader& r) {
    r.pred_def(81);
    r.pred_def(84);
    r.pred(87);
    r.pred(77);
    if (r.bit(67))
        r.upred(68);
    else
        r.pred(68);
}

// The same of the signs of three registers.
void plop3_signs(OperandReader& r) {
    if (r.bits(87, 4) != 0) r.unverified();
    r.pred_def(81);
    r.pred_def(84);
    r.gpr(24, 1, Role::A);
    r.gpr(32, 1, Role::B);
    r.gpr(64, 1, Role::C);
}

// Packs the predicates of a mask into a register; a mask in a register may name any of them.
void p2r(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    if (r.form() != kImmB) {
        r.source_b(1);
        r.add(RegFile::Pred, 0, 7, Role::PredSource, true, false);
        return;
    }
    for (unsigned i = 0; i < 7; ++i)
        if (r.bit(32 + i)) r.add(RegFile::Pred, i, 1, Role::PredSource, true, false);
}

// Writes the predicates named by a mask.
void r2p(OperandReader& r) {
    r.gpr(24, 1, Role::A);
    if (r.form() != kImmB) {
        r.source_b(1);
        r.add(RegFile::Pred, 0, 7, Role::PredDest, true, true);
        return;
    }
    for (unsigned i = 0; i < 7; ++i)
        if (r.bit(32 + i)) r.add(RegFile::Pred, i, 1, Role::PredDest, false, true);
}

// Bits 72-75 choose lanes of each quad: the others keep the old value.
void mov(OperandReader& r) {
    r.add(RegFile::Gpr, r.bits(16, 8), 1, Role::Dest, r.bits(72, 4) != 15, true);
    r.source_b(1);
}

const OpcodeRow kRows[] = {
    {0x002, kFormsB, "MOV", Unit::Alu, 0, mov},
    {0x003, kFormsB, "P2R", Unit::Alu, 0, p2r},
    {0x004, kFormsB, "R2P", Unit::Alu, 0, r2p},
    {0x007, kFormsB, "SEL", Unit::Alu, 0, select},
    {0x00c, kFormsB, "ISETP", Unit::Alu, 0, isetp},
    {0x010, kAllForms, "IADD3", Unit::Alu, 0, iadd3},
    {0x011, kAllForms, "LEA", Unit::Alu, 0, lea},
    {0x012, kAllForms, "LOP3", Unit::Alu, 0, lop3},
    {0x013, kFormsB, "IABS", Unit::Alu, 0, unary},
    {0x014, kAllForms, "VABSDIFF", Unit::Alu, 0, abc},
    {0x015, kAllForms, "VABSDIFF4", Unit::Alu, 0, abc},
    {0x00f, kAllForms, "VIMNMX3", Unit::Alu, 0, viaddmnmx, 90, 90},
    {0x016, kAllForms, "PRMT", Unit::Alu, 0, abc},
    {0x017, kFormsB, "IMNMX", Unit::Alu, 0, select, 75, 89},
    {0x048, kFormsB, "VIMNMX", Unit::Alu, 0, select, 90, 90},
    {0x046, kAllForms, "VIADDMNMX", Unit::Alu, 0, viaddmnmx, 90, 90},
    {0x019, kAllForms, "SHF", Unit::Alu, 0, abc},
    {0x01a, kFormsB, "SGXT", Unit::Alu, 0, ab},
    {0x01b, kFormsB, "BMSK", Unit::Alu, 0, ab},
    {0x01c, forms(4), "PLOP3", Unit::Alu, 0, plop3},
    {0x01f, forms(1), "PLOP3", Unit::Alu, 0, plop3_signs, 90},
    {0x024, kAllForms, "IMAD", Unit::Fma, 0, imad},
    {0x025, kAllForms, "IMAD", Unit::FmaWide, 0, imad_wide},
    {0x026, kAllForms, "IDP", Unit::Fma, 0, abc},
    {0x027, kAllForms, "IMAD", Unit::FmaWide, 0, imad_hi},
    {0x036, kFormsB, "VIADD", Unit::Fma, 0, ab, 90, 90},
};

}  // namespace

std::span<const OpcodeRow> integer_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
