// SPDX-License-Identifier: GPL-3.0-or-later
// Text of matrix, lane-crossing and asynchronous instructions.
#include <fmt/format.h>

#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

void hmma(TextWriter& w) {
    const bool sparse = w.bit(73);
    const bool tf32 = w.bits(82, 2) == 2;
    const bool large = w.bit(75);
    w.mod_if(sparse, "SP");
    w.mod(sparse  ? (large ? "16832" : "16816")
          : tf32  ? (w.bit(78) ? "1684" : "1688")
          : large ? "16816"
                  : "1688");
    w.mod(w.bit(76) ? "F32" : "F16");
    w.mod_of(w.bits(82, 2), {"", "BF16", "TF32"});
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
    if (sparse) {
        w.arg(w.gpr(40));
        w.arg("0x0");
    }
}

void imma(TextWriter& w) {
    w.mod(w.bit(76) ? (w.bit(75) ? "16832" : "16816") : "8816");
    w.mod(w.bit(76) || w.bit(74) ? (w.bit(74) ? "S8" : "U8") : "U8");
    w.mod(w.bit(78) ? "S8" : "U8");
    w.dest();
    w.a({}, ".ROW");
    w.source(32, {}, 1, ".COL");
    w.source(64, {}, 2);
}

void dmma(TextWriter& w) {
    w.mod(w.sm() >= 90 ? "8x8x4" : "884");
    w.dest();
    w.a();
    w.source(32, {}, 1);
    w.source(64, {}, 2);
}

void gmma(TextWriter& w, int k, std::string_view types) {
    w.mod(fmt::format("64x{}x{}", (w.bits(53, 5) + 1) * 8, k));
    w.mod(w.bit(75) ? "F32" : "F16");
    w.mod(types);
    w.dest();
    const bool a_in_registers = w.form() == kUniformB;
    std::string descriptor = fmt::format("gdesc[{}]", w.ugpr(a_in_registers ? 32 : 24));
    if (w.bit(61)) descriptor += ".tnspA";
    if (w.bit(62)) descriptor += ".tnspB";
    if (a_in_registers) w.a();
    w.arg(descriptor);
    w.source(64, {}, 2);
    if (w.bit(90)) w.arg("!UPT");
    if (w.bits(84, 3) != 7) w.arg("gsb" + std::to_string(w.bits(84, 3)));
}

void hgmma(TextWriter& w) {
    gmma(w, 16, "");
}
void qgmma(TextWriter& w) {
    gmma(w, 32, "E4M3.E4M3");
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
        w.mod_if(w.bit(70), "TRYWAIT");
        w.arg(w.pred(81));
        w.arg(barrier_address(w, 64));
        w.arg(w.gpr(32));
    } else {
        w.mod("ARRIVE.TRANS64");
        w.arg(w.gpr(16));
        w.arg(barrier_address(w, 64));
        w.arg(w.gpr(32));
    }
}

void ublkcp(TextWriter& w) {
    w.mod("S.G");
    w.arg("[" + w.ugpr(32) + "]");
    w.arg("[" + w.ugpr(24) + "]");
    w.arg(w.ugpr(64));
}

void utma(TextWriter& w) {
    w.mod(fmt::format("{}D", w.bits(78, 3)));
    w.arg("[" + w.ugpr(32) + "]");
    w.arg("[" + w.ugpr(24) + "]");
}

void nothing(TextWriter&) {}

const TextRow kRows[] = {
    {0x03c, hmma},  {0x037, imma},      {0x03f, dmma},    {0x1f0, hgmma}, {0x1f3, qgmma},  {0x189, shfl},
    {0x006, vote},  {0x086, vote},      {0x1a1, match},   {0x1c2, r2ur},  {0x0ca, r2ur},   {0x1c4, redux},
    {0x02f, elect}, {0x1c5, warpgroup}, {0x1a7, syncs},   {0x1b2, syncs}, {0x1ba, ublkcp}, {0x1b4, utma},
    {0x1b5, utma},  {0x1b7, nothing},   {0x1c7, nothing},
};

}  // namespace

std::span<const TextRow> matrix_text() {
    return kRows;
}

}  // namespace cubinlab::sass
