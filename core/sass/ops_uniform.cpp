// SPDX-License-Identifier: GPL-3.0-or-later
// The uniform datapath: one value a warp, registers UR and predicates UP.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kAllForms = forms(1, 2, 4);
constexpr std::uint8_t kFormsB = forms(1, 4);

void source_b(OperandReader& r, unsigned count) {
    if (r.form() == kRegReg || r.form() == kUniformB) r.ugpr(32, count, Role::B);
    if (r.form() == kImmC) r.ugpr(64, count, Role::B);
}

void source_c(OperandReader& r, unsigned count) {
    if (r.form() != kImmC) r.ugpr(64, count, Role::C);
}

void ab(OperandReader& r) {
    r.ugpr_def(16, 1);
    r.ugpr(24, 1, Role::A);
    source_b(r, 1);
}

void abc(OperandReader& r) {
    ab(r);
    source_c(r, 1);
}

void unary(OperandReader& r) {
    r.ugpr_def(16, 1);
    source_b(r, 1);
}

void uiadd3(OperandReader& r) {
    abc(r);
    r.upred_def(81);
    r.upred_def(84);
    if (r.bit(74)) {
        r.upred(87);
        r.upred(77);
    }
}

void uiadd3_64(OperandReader& r) {
    r.ugpr_def(16, 2);
    r.ugpr(24, 2, Role::A);
    source_b(r, 2);
    source_c(r, 2);
    r.upred_def(81);
    r.upred_def(84);
}

void uimad(OperandReader& r) {
    abc(r);
    r.upred_def(81);
    if (r.bit(74)) r.upred(87);
}

void uimad_wide(OperandReader& r) {
    r.ugpr_def(16, 2);
    r.ugpr(24, 1, Role::A);
    source_b(r, 1);
    source_c(r, 2);
    r.upred_def(81);
    if (r.bit(74)) r.upred(87);
}

void ulea(OperandReader& r) {
    ab(r);
    if (r.bit(80)) source_c(r, 1);
    r.upred_def(81);
    if (r.bit(74)) r.upred(87);
}

void ulop3(OperandReader& r) {
    abc(r);
    r.upred_def(81);
    r.upred(87);
}

void uisetp(OperandReader& r) {
    r.upred_def(81);
    r.upred_def(84);
    r.ugpr(24, 1, Role::A);
    source_b(r, 1);
    r.upred(87);
    if (r.bit(72)) r.upred(68);
}

void usel(OperandReader& r) {
    ab(r);
    r.upred(87);
}

void uplop3(OperandReader& r) {
    r.upred_def(81);
    r.upred_def(84);
    r.upred(87);
    r.upred(77);
    r.upred(68);
}

void uflo(OperandReader& r) {
    unary(r);
    r.upred_def(81);
}

// The predicate file to a register and back, for the predicates of a mask: all of them count.
void up2ur(OperandReader& r) {
    r.ugpr_def(16, 1);
    r.ugpr(24, 1, Role::A);
    if (r.form() == kRegReg) r.ugpr(32, 1, Role::B);
    r.add(RegFile::UPred, 0, 7, Role::PredSource, true, false);
}

void ur2up(OperandReader& r) {
    r.ugpr(24, 1, Role::A);
    if (r.form() == kRegReg) r.ugpr(32, 1, Role::B);
    r.add(RegFile::UPred, 0, 7, Role::PredDest, true, true);
}

const OpcodeRow kRows[] = {
    {0x082, forms(4, 6), "UMOV", Unit::UdpFast, 0, unary},
    {0x083, kFormsB, "UP2UR", Unit::Udp, 0, up2ur},
    {0x084, kFormsB, "UR2UP", Unit::Udp, 0, ur2up},
    {0x087, kFormsB, "USEL", Unit::Udp, 0, usel},
    {0x08c, kFormsB, "UISETP", Unit::Udp, 0, uisetp},
    {0x090, kAllForms, "UIADD3", Unit::Udp, 0, uiadd3},
    {0x091, kAllForms, "ULEA", Unit::Udp, 0, ulea},
    {0x092, kAllForms, "ULOP3", Unit::Udp, 0, ulop3},
    {0x096, kAllForms, "UPRMT", Unit::Udp, 0, abc},
    {0x097, kAllForms, "UIADD3", Unit::Udp, 0, uiadd3_64, 90},
    {0x099, kAllForms, "USHF", Unit::Udp, 0, abc},
    {0x09a, kFormsB, "USGXT", Unit::Udp, 0, ab},
    {0x09b, kFormsB, "UBMSK", Unit::Udp, 0, ab},
    {0x09c, forms(4), "UPLOP3", Unit::Udp, 0, uplop3},
    {0x0a4, kAllForms, "UIMAD", Unit::Udp, 0, uimad},
    {0x0a5, kAllForms, "UIMAD", Unit::Udp, 0, uimad_wide},
    {0x0bd, kFormsB, "UFLO", Unit::Udp, 0, uflo},
    {0x0be, kFormsB, "UBREV", Unit::Udp, 0, unary},
    {0x0bf, kFormsB, "UPOPC", Unit::Udp, 0, unary},
};

}  // namespace

std::span<const OpcodeRow> uniform_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
