// SPDX-License-Identifier: GPL-3.0-or-later
// Text of loads, stores, atomics, constant loads and shared-memory copies.
#include <fmt/format.h>

#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

constexpr std::string_view kType[] = {"U8", "S8", "U16", "S16", "", "64", "128", "U.128"};

std::string with_offset(const TextWriter& w, std::string base, std::int64_t offset) {
    if (offset == 0) return base;
    // nvdisasm writes a negative offset as "+-0x10".
    return base.empty() ? w.hex(offset) : base + "+" + w.hex(offset);
}

// Register at 24-31 with an optional uniform register, e.g. R4+UR8+0x10, R11.X4, UR8+0x4.
std::string shared_address(const TextWriter& w, unsigned uniform_at, bool scaled) {
    static constexpr std::string_view kScale[4] = {"", ".X4", ".X8", ".X16"};
    const bool zero = w.bits(24, 8) == 255;
    const bool uniform = uniform_at != 0 && w.bit(91) && w.bits(uniform_at, 6) != 63;
    std::string text;
    if (!zero || !uniform) text = w.gpr(24);
    if (!zero && scaled) text += kScale[w.bits(78, 2)];
    if (uniform) text += (text.empty() ? "" : "+") + w.ugpr(uniform_at);
    return "[" + with_offset(w, text, w.signed_bits(40, 24)) + "]";
}

struct AddressBits {
    unsigned uniform, wide, descriptor;
};

std::string global_address(const TextWriter& w, AddressBits f, std::int64_t offset) {
    if (!w.bit(91)) return "[" + with_offset(w, w.gpr(24), offset) + "]";
    const bool zero = w.bits(24, 8) == 255;
    const bool descriptor = w.bit(f.descriptor);
    const std::string width = w.bit(f.wide) ? ".64" : ".U32";
    std::string base = zero ? "" : w.gpr(24) + (descriptor && !w.bit(f.wide) ? "" : width);
    if (!descriptor) {
        base += (base.empty() ? "" : "+") + w.ugpr(f.uniform);
        return "[" + with_offset(w, base, offset) + "]";
    }
    if (zero) base = "RZ" + width;
    const std::string address = "[" + with_offset(w, base, offset) + "]";
    return w.sm() >= 90 ? "desc[" + w.ugpr(f.uniform) + "]" + address : address;
}

constexpr AddressBits kLoad{32, 90, 76};
constexpr AddressBits kStore{64, 90, 76};
constexpr AddressBits kReduction{64, 90, 71};
constexpr AddressBits kAtomic{64, 70, 71};
constexpr AddressBits kCopy{64, 70, 76};

void eviction(TextWriter& w) {
    w.mod_of(w.bits(84, 3), {"EF", "", "EL", "LU", "EU", "NA"});
}

// sm_75 keeps scope and strength apart; later one code holds both.
void order(TextWriter& w) {
    if (w.sm() < 80) {
        w.mod_of(w.bits(79, 2), {"CONSTANT", "", "STRONG", "MMIO"});
        w.mod_of(w.bits(77, 2), {"CTA", "SM", "GPU", "SYS"});
        return;
    }
    w.mod_of(w.bits(77, 4), {"", "", "", "", "CONSTANT", "STRONG.SM", "", "STRONG.GPU", "", "", "STRONG.SYS",
                             "MMIO.GPU", "MMIO.SYS"});
}

void ldg(TextWriter& w) {
    w.mod_if(w.bit(72), "E");
    eviction(w);
    w.mod_of(w.bits(73, 3), kType);
    order(w);
    if (w.bits(81, 3) != 7) w.arg(w.pred(81));
    w.dest();
    w.arg(global_address(w, kLoad, w.signed_bits(40, 24)));
}

void ld(TextWriter& w) {
    w.mod_if(w.bit(72), "E");
    eviction(w);
    w.mod_of(w.bits(73, 3), kType);
    order(w);
    w.dest();
    w.arg(global_address(w, kLoad, w.signed_bits(40, 24)));
}

void store_text(TextWriter& w, unsigned data_at) {
    w.mod_if(w.bit(72), "E");
    eviction(w);
    w.mod_of(w.bits(73, 3), kType);
    order(w);
    w.arg(global_address(w, kStore, w.signed_bits(40, 24)));
    w.arg(w.gpr(data_at));
}

void stg(TextWriter& w) {
    store_text(w, 32);
}
void st(TextWriter& w) {
    store_text(w, w.sm() < 80 && w.form() == kRegReg ? 64 : 32);
}

void lds(TextWriter& w) {
    w.mod_if(w.bit(76), "U");
    w.mod_of(w.bits(73, 3), kType);
    w.dest();
    w.arg(shared_address(w, 32, true));
}

void ldl(TextWriter& w) {
    w.mod_of(w.bits(84, 3), {"EF", "", "EL", "LU"});
    w.mod_of(w.bits(73, 3), kType);
    w.dest();
    w.arg(shared_address(w, 0, false));
}

void sts(TextWriter& w) {
    w.mod_of(w.bits(73, 3), kType);
    w.arg(shared_address(w, 64, true));
    w.arg(w.gpr(32));
}

void stl(TextWriter& w) {
    w.mod_of(w.bits(84, 3), {"EF", "", "EL", "LU"});
    w.mod_of(w.bits(73, 3), kType);
    w.arg(shared_address(w, 0, false));
    w.arg(w.gpr(32));
}

void matrix_shape(TextWriter& w) {
    w.mod("16");
    w.mod(w.bit(78) ? "MT88" : "M88");
    w.mod_of(w.bits(72, 2), {"", "2", "4"});
}

void ldsm(TextWriter& w) {
    matrix_shape(w);
    w.dest();
    w.arg(shared_address(w, 32, false));
}

void stsm(TextWriter& w) {
    matrix_shape(w);
    w.arg(shared_address(w, 64, false));
    w.arg(w.gpr(32));
}

void ldgsts(TextWriter& w) {
    w.mod("E");
    w.mod_if(!w.bit(81), "BYPASS");
    w.mod_of(w.bits(71, 2), {"", "LTC64B", "LTC128B", "LTC256B"});
    w.mod_of(w.bits(73, 3), kType);
    w.arg("[" + with_offset(w, w.gpr(16), static_cast<std::int64_t>(w.bits(44, 20))) + "]");
    w.arg(global_address(w, kCopy, w.signed_bits(32, 12)));
    if (w.bits(87, 4) != 7) w.arg(w.pred_source(87));
}

constexpr std::string_view kAtomOp[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};

void atom_type(TextWriter& w, bool float_opcode) {
    if (w.sm() < 90) {
        w.mod_of(w.bits(73, 3), {"", "S32", "64", "F32.FTZ.RN", "F16x2.RN", "S64", "F64.RN"});
        return;
    }
    if (!float_opcode) {
        w.mod_of(w.bits(73, 4), {"", "S32", "64", "S64", "128"});
        return;
    }
    w.mod_of(w.bits(73, 4),
             {"F16x2.RN", "F16x4.RN", "F16x8.RN", "BF16x2.RN", "BF16x4.RN", "BF16x8.RN", "", "", "",
              "F32.FTZ.RN", "F32x2.FTZ.RN", "F32x4.FTZ.RN", "F32.RN", "F32x2.RN", "F32x4.RN", "F64.RN"});
}

bool is_float_opcode(const TextWriter& w) {
    const auto base = w.bits(0, 9);
    return base == 0x1a2 || base == 0x1a3 || base == 0x1a6;
}

void atom(TextWriter& w) {
    w.mod_if(w.bit(72), "E");
    eviction(w);
    w.mod_of(is_float_opcode(w) ? w.bits(87, 2) : w.bits(87, 4), kAtomOp);
    atom_type(w, is_float_opcode(w));
    order(w);
    w.arg(w.pred(81));
    w.dest();
    w.arg(global_address(w, kAtomic, w.signed_bits(40, 24)));
    w.arg(w.gpr(32));
}

void atom_cas(TextWriter& w) {
    w.mod_if(w.bit(72), "E");
    w.mod("CAS");
    w.mod_of(w.bits(73, 3), {"", "", "64"});
    order(w);
    w.arg(w.pred(81));
    w.dest();
    w.arg("[" + with_offset(w, w.gpr(24), w.signed_bits(40, 24)) + "]");
    w.arg(w.gpr(32));
    w.arg(w.gpr(64));
}

void red(TextWriter& w) {
    w.mod_if(w.bit(72), "E");
    eviction(w);
    w.mod_of(w.bits(87, 3), kAtomOp);
    atom_type(w, is_float_opcode(w));
    order(w);
    w.arg(global_address(w, kReduction, w.signed_bits(40, 24)));
    w.arg(w.gpr(32));
}

constexpr std::string_view kAtomsType[] = {"", "S32", "64", "S64"};

void atoms(TextWriter& w) {
    const auto op = w.bits(87, 4);
    if (w.form() == kUniformC)
        w.mod(op == 9 ? "ARRIVE" : "POPC.INC");
    else
        w.mod_of(op, kAtomOp);
    w.mod_of(w.bits(73, 2), kAtomsType);
    w.dest();
    w.arg(shared_address(w, 64, true));
    if (w.form() != kUniformC) w.arg(w.gpr(32));
}

void atoms_cas(TextWriter& w) {
    w.mod(w.bits(87, 2) == 3 ? "CAST.SPIN" : "CAS");
    w.mod_of(w.bits(73, 2), kAtomsType);
    w.dest();
    w.arg(shared_address(w, 0, true));
    w.arg(w.gpr(32));
    w.arg(w.gpr(64));
}

void ldc(TextWriter& w) {
    w.mod_of(w.bits(78, 2), {"", "IL", "IS", "ISL"});
    w.mod_of(w.bits(73, 3), kType);
    w.dest();
    const bool bindless = w.form() == 2;
    const unsigned index = bindless ? 64 : 24;
    const std::string bank = bindless ? "cx[" + w.ugpr(24) + "]" : fmt::format("c[0x{:x}]", w.bits(54, 5));
    // Without an index register the offset alone is printed, unless it is zero.
    const auto offset = static_cast<std::int64_t>(w.bits(38, 16));
    const bool absolute = w.bits(index, 8) == 255 && offset != 0;
    w.arg(bank + "[" + (absolute ? w.hex(offset) : with_offset(w, w.gpr(index), w.signed_bits(38, 16))) +
          "]");
}

void uldc(TextWriter& w) {
    w.mod_of(w.bits(73, 3), kType);
    w.arg(w.ugpr(16));
    w.arg(w.bit(91) ? fmt::format("cx[{}][0x{:x}]", w.ugpr(24), w.bits(38, 16)) : w.constant());
}

void uldc_indexed(TextWriter& w) {
    w.mod_of(w.bits(73, 3), kType);
    w.arg(w.ugpr(16));
    w.arg(w.bits(38, 16) == 0
              ? fmt::format("c[0x{:x}][{}]", w.bits(54, 5), w.ugpr(24))
              : fmt::format("c[0x{:x}][{}+0x{:x}]", w.bits(54, 5), w.ugpr(24), w.bits(38, 16)));
}

void cctl(TextWriter& w) {
    const auto op = w.bits(87, 4);
    w.mod_of(op, {"PF1", "PF2", "WB", "IV", "IVALL", "RS", "IVALLP", "WBALL", "WBALLP", "", "", "RML2"});
    if (op == 4 || (op >= 6 && op <= 8)) return;
    w.arg(shared_address(w, 0, false));
}

const TextRow kRows[] = {
    {0x180, ld},        {0x181, ldg},      {0x183, ldl},      {0x184, lds},  {0x185, st},
    {0x186, stg},       {0x187, stl},      {0x188, sts},      {0x03b, ldsm}, {0x044, stsm},
    {0x1ae, ldgsts},    {0x18a, atom},     {0x18b, atom_cas}, {0x1a2, atom}, {0x1a3, atom},
    {0x1a8, atom},      {0x1a9, atom_cas}, {0x18e, red},      {0x1a6, red},  {0x18c, atoms},
    {0x18d, atoms_cas}, {0x182, ldc},      {0x0b9, uldc},     {0x18f, cctl}, {0x0bb, uldc_indexed},
};

}  // namespace

std::span<const TextRow> memory_text() {
    return kRows;
}

}  // namespace cubinlab::sass
