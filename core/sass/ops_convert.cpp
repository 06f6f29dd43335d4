// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions and the transcendental unit.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::uint8_t kFormsB = forms(1, 4, 5, 6);
constexpr std::uint8_t kAllForms = forms(1, 2, 3, 4, 5, 6, 7);
constexpr std::uint32_t kXu = Trait::VariableLatency | Trait::InOrderXu;

void unary(OperandReader& r) {
    r.gpr_def(16, 1);
    r.source_b(1);
}

// Size codes 0..3 are 8, 16, 32, 64 bits: destination in 75-76, source in 84-85.
void wide(OperandReader& r) {
    r.gpr_def(16, r.bits(75, 2) == 3 ? 2 : 1);
    r.source_b(r.bits(84, 2) == 3 ? 2 : 1);
}

void flo(OperandReader& r) {
    unary(r);
    r.pred_def(81);
}

void pack(OperandReader& r) {
    r.gpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.source_b(1);
    r.source_c(1);
}

// Packs two saturated integers below the bits of c. Bits 76-78: bytes, halves (2, 3), nibbles (6, 7), the odd
// ones signed; nibbles are put in front of the lower 24 bits of c, which 73 says.
void i2ip(OperandReader& r) {
    const auto type = r.bits(76, 3);
    const bool nibbles = type >= 6;
    if (type == 4 || type == 5 || r.bits(72, 2) != (nibbles ? 2u : 0u)) r.unverified();
    pack(r);
}

// The same from floats; S8.F32.NTZ is the only kind that has been seen.
void f2ip(OperandReader& r) {
    if (r.bits(72, 15) != 0x14) r.unverified();
    pack(r);
}

const OpcodeRow kRows[] = {
    {0x100, kFormsB, "FLO", Unit::Xu, kXu, flo},        {0x101, kFormsB, "BREV", Unit::Xu, kXu, unary},
    {0x104, kFormsB, "F2F", Unit::Xu, kXu, wide},       {0x105, kFormsB, "F2I", Unit::Xu, kXu, wide},
    {0x106, kFormsB, "I2F", Unit::Xu, kXu, wide},       {0x107, kFormsB, "FRND", Unit::Xu, kXu, wide},
    {0x108, kFormsB, "MUFU", Unit::Xu, kXu, unary},     {0x109, kFormsB, "POPC", Unit::Xu, kXu, unary},
    {0x110, kFormsB, "F2F", Unit::Xu, kXu, wide},       {0x111, kFormsB, "F2I", Unit::Xu, kXu, wide},
    {0x112, kFormsB, "I2F", Unit::Xu, kXu, wide},       {0x113, kFormsB, "FRND", Unit::Xu, kXu, wide},
    {0x03e, kAllForms, "F2FP", Unit::Alu, 0, pack, 80}, {0x045, kFormsB, "I2FP", Unit::Alu, 0, unary, 86},
    {0x039, forms(1), "I2IP", Unit::Alu, 0, i2ip, 80},  {0x043, forms(1), "F2IP", Unit::Alu, 0, f2ip, 90},
};

}  // namespace

std::span<const OpcodeRow> convert_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
