// SPDX-License-Identifier: GPL-3.0-or-later
// Text of matrix, lane-crossing and asynchronous instructions.
#include <fmt/format.h>

#include "core/sass/gmma_shape.h"
#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

void hmma(TextWriter& w) {
    const bool sparse = w.bit(73);
    const bool tf32 = w.bits(82, 2) == 2;
    w.mod_if(sparse, "SP");
    if (sparse)
        w.mod(tf32 && !w.bit(75) ? "1688" : !tf32 && w.bit(78) ? "16832" : "16816");
    else if (tf32)
        w.mod(w.bit(78) ? "1684" : "1688");
    else
        w.mod(w.bit(75) ? "16816" : "1688");
    w.mod(w.bit(76) ? "F32" : "F16");
    w.mod_of(w.bits(82, 2), {"", "BF16", "TF32"});
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
    if (sparse) {
        w.arg(w.gpr(40));
        w.arg(w.hex(static_cast<std::int64_t>(w.bits(48, 2))));
    }
}

void imma(TextWriter& w) {
    w.mod_if(w.bit(72), "SP");
    w.mod_of(w.bits(85, 2) << 1 | w.bits(75, 1),
             {"8816", "", "8832", "", "16816", "16832", "16864", "168128"});
    w.mod(std::string(w.bit(76) ? "S" : "U") + (w.bit(83) ? "4" : "8"));
    w.mod(std::string(w.bit(78) ? "S" : "U") + (w.bit(84) ? "4" : "8"));
    w.mod_if(w.bit(82), "SAT");
    w.dest();
    w.a({}, ".ROW");
    w.source(32, {}, 1, ".COL");
    w.source(64, {}, 2);
    if (w.bit(72)) {
        w.arg(w.gpr(40));
        w.arg(w.hex(static_cast<std::int64_t>(w.bits(48, 2))));
    }
}

void bmma(TextWriter& w) {
    w.mod(w.bit(76) ? "168256" : w.bit(75) ? "168128" : "88128");
    w.mod(w.bit(78) ? "AND" : "XOR");
    w.mod("POPC");
    w.dest();
    w.a({}, ".ROW");
    w.source(32, {}, 1, ".COL");
    w.source(64, {}, 2);
}

void qmma(TextWriter& w) {
    w.mod_if(w.bit(80), "SP");
    w.mod(w.bit(80) ? "16864" : w.bit(75) ? "16832" : "16816");
    w.mod(w.bit(77) ? "F32" : "F16");
    w.mod(w.bit(78) ? "E5M2" : "E4M3");
    w.mod(w.bit(79) ? "E5M2" : "E4M3");
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
    if (!w.bit(80)) return;
    w.arg(w.gpr(40));
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(48, 2))));
}

void dmma(TextWriter& w) {
    if (w.sm() >= 90)
        w.mod_of(w.bits(76, 2), {"8x8x4", "16x8x4", "16x8x8", "16x8x16"});
    else
        w.mod("884");
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
}

void gmma(TextWriter& w, std::string_view types, bool saturates = false) {
    const GmmaShape shape = gmma_shape(w.word());
    w.mod_if(shape.sparse, "SP");
    w.mod(shape.known ? fmt::format("64x{}x{}", shape.n, shape.k) : "INVALID");
    w.mod(types);
    w.mod_if(saturates, "SAT");
    w.dest();
    const bool a_in_registers = w.form() == kUniformB;
    std::string descriptor = fmt::format("gdesc[{}]", w.ugpr(a_in_registers ? 32 : 24));
    if (!a_in_registers && w.bit(72)) descriptor += ".negA";
    if (w.bit(63)) descriptor += ".negB";
    if (w.bit(61)) descriptor += ".tnspA";
    if (w.bit(62)) descriptor += ".tnspB";
    if (a_in_registers) w.a({.negate = 72});
    w.arg(descriptor);
    w.source(64, {}, 2);
    const auto scale = 7 - w.bits(87, 3);  // stored inverted
    if (scale != 7 || w.bit(90)) w.arg(TextWriter::uniform_pred(scale, w.bit(90)));
    if (shape.sparse) {
        w.arg(w.gpr(40));
        if (w.bits(0, 9) == kHgmma) w.arg(w.hex(static_cast<std::int64_t>(w.bits(48, 2))));
    }
    if (w.bits(84, 3) != 7) w.arg("gsb" + std::to_string(w.bits(84, 3)));
}

// Bit 75: f32 accumulators. Bits 76-77: f16, bf16, tf32.
void hgmma(TextWriter& w) {
    static constexpr std::string_view kTypes[] = {"F32", "F32.BF16", "F32.TF32", "F32.INVALID"};
    gmma(w, w.bit(75) ? kTypes[w.bits(76, 2)] : "F16");
}

void qgmma(TextWriter& w) {
    gmma(w, fmt::format("{}.{}.{}", w.bit(75) ? "F32" : "F16", w.bit(76) ? "E5M2" : "E4M3",
                        w.bit(77) ? "E5M2" : "E4M3"));
}

// Bits 76, 82: A, B signed. Bit 75: saturating.
void igmma(TextWriter& w) {
    gmma(w, fmt::format("{}.{}", w.bit(76) ? "S8" : "U8", w.bit(82) ? "S8" : "U8"), w.bit(75));
}

void bgmma(TextWriter& w) {
    gmma(w, "AND.POPC");
}

void movm(TextWriter& w) {
    w.mod("16.MT88");
    w.dest();
    w.arg(w.gpr(24));
}

void shfl(TextWriter& w) {
    w.mod_of(w.bits(58, 2), {"IDX", "UP", "DOWN", "BFLY"});
    w.arg(w.pred(81));
    w.dest();
    w.arg(w.gpr(24));
    const bool lane_register = w.form() == 1 || w.form() == 2;
    const bool clamp_register = w.form() == 1 || w.form() == 4;
    w.arg(lane_register ? w.gpr(32) : w.hex(static_cast<std::int64_t>(w.bits(53, 5))));
    w.arg(clamp_register ? w.gpr(64) : w.hex(static_cast<std::int64_t>(w.bits(40, 13))));
}

void vote(TextWriter& w) {
    const bool to_uniform = w.bits(0, 9) == 0x086;
    w.mod_of(w.bits(72, 2), {"ALL", "ANY", "EQ"});
    const bool no_register = to_uniform ? w.bits(16, 6) == 63 : w.bits(16, 8) == 255;
    if (!no_register) w.arg(to_uniform ? w.ugpr(16) : w.gpr(16));
    w.arg(to_uniform ? TextWriter::uniform_pred(w.bits(81, 3)) : w.pred(81));
    w.arg(w.pred_source(87));
}

void match(TextWriter& w) {
    w.mod(w.bit(79) ? "ANY" : "ALL");
    w.mod_if(w.bit(73), "U64");
    if (!w.bit(79)) w.arg(w.pred(81));
    w.dest();
    w.arg(w.gpr(24));
}

void r2ur(TextWriter& w) {
    if (w.bits(81, 3) != 7) w.arg(w.pred(81));
    w.arg(w.ugpr(16));
    w.a();
}

void redux(TextWriter& w) {
    w.mod_of(w.bits(78, 3), {"", "OR", "XOR", "SUM", "MIN", "MAX"});
    w.mod_if(w.bit(73), "S32");
    w.arg(w.ugpr(16));
    w.arg(w.gpr(24));
}

void elect(TextWriter& w) {
    w.arg(w.pred(81));
    w.arg(w.ugpr(16));
    w.arg(w.pred_source(87));
}

void warpgroup(TextWriter& w) {
    if (!w.bit(80)) {
        w.mod("ARRIVE");
        return;
    }
    w.mod("DEPBAR.LE");
    w.arg("gsb0");
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(72, 3))));
}

std::string barrier_address(const TextWriter& w, unsigned uniform_at) {
    std::string text = w.bits(24, 8) == 255 || uniform_at == 24 ? "" : w.gpr(24);
    if (w.bit(91)) text += (text.empty() ? "" : "+") + w.ugpr(uniform_at);
    const std::int64_t offset = w.signed_bits(40, 24);
    if (offset != 0) text += "+" + w.hex(offset);
    return "[" + text + "]";
}

void syncs(TextWriter& w) {
    if (w.bits(0, 9) == 0x1b2) {
        w.mod("EXCH.64");
        w.arg(w.ugpr(16));
        w.arg(barrier_address(w, 24));
        w.arg(w.ugpr(32));
    } else if (w.form() == 2) {
        w.mod("PHASECHK.TRANS64");
        w.mod_if(w.bit(72), "TRYWAIT");
        w.arg(w.pred(81));
        w.arg(barrier_address(w, 64));
        w.arg(w.gpr(32));
    } else {
        w.mod("ARRIVE.TRANS64");
        w.mod_if(w.bit(74), "RED");
        w.mod_if(w.bit(75), "OPTOUT");
        w.mod_of(w.bits(84, 2), {"", "A1T0", "ART0", "A0TR"});
        w.arg(w.gpr(16));
        w.arg(barrier_address(w, 64));
        w.arg(w.gpr(32));
    }
}

void ublkcp(TextWriter& w) {
    w.mod(w.bit(73) ? "S.G" : "G.S");
    w.arg("[" + w.ugpr(32) + "]");
    w.arg("[" + w.ugpr(24) + "]");
    w.arg(w.ugpr(64));
}

void utma(TextWriter& w) {
    w.mod(fmt::format("{}D", w.bits(79, 3) + 1));
    w.arg("[" + w.ugpr(32) + "]");
    w.arg("[" + w.ugpr(24) + "]");
    if (w.bits(0, 9) == 0x1b4 && w.form() == kRegReg) w.arg(w.ugpr(64));
    if (w.bit(76)) w.arg("desc[" + w.ugpr(40) + "]");
}

void ublkpf(TextWriter& w) {
    w.arg("[" + w.ugpr(24) + "]");
    w.arg(w.ugpr(64));
}

void utmacctl(TextWriter& w) {
    w.mod(w.bit(82) ? "PF" : "IV");
    w.arg("[" + w.ugpr(24) + "]");
}

void arrives(TextWriter& w) {
    w.mod("LDGSTSBAR.64");
    w.arg(barrier_address(w, 64));
}

void syncs_invalidate(TextWriter& w) {
    w.mod("CCTL.IV");
    w.arg(barrier_address(w, 64));
}

void nothing(TextWriter&) {}

const TextRow kRows[] = {
    {0x03c, hmma},
    {0x037, imma},
    {0x03f, dmma},
    {0x03d, bmma},
    {0x07a, qmma},
    {kHgmma, hgmma},
    {kQgmma, qgmma},
    {kIgmma, igmma},
    {kBgmma, bgmma},
    {0x03a, movm},
    {0x189, shfl},
    {0x006, vote},
    {0x086, vote},
    {0x1a1, match},
    {0x1c2, r2ur},
    {0x0ca, r2ur},
    {0x1c4, redux},
    {0x02f, elect},
    {0x1c5, warpgroup},
    {0x1a7, syncs},
    {0x1b2, syncs},
    {0x1ba, ublkcp},
    {0x1b4, utma},
    {0x1b5, utma},
    {0x1b6, utma},
    {0x1bc, ublkpf},
    {0x1b9, utmacctl},
    {0x1b0, arrives},
    {0x1b1, syncs_invalidate},
    {0x02e, nothing},
    {0x02d, nothing},
    {0x1b7, nothing},
    {0x1c7, nothing},
};

}  // namespace

std::span<const TextRow> matrix_text() {
    return kRows;
}

}  // namespace cubinlab::sass
