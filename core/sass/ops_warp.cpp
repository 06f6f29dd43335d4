// SPDX-License-Identifier: GPL-3.0-or-later
// Lane crossing, special registers, moves between the vector and the uniform side.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

// Special registers whose value depends on when they are read: clocks, counters, timers.
bool is_clock(std::uint64_t id) {
    return id == 0x50 || id == 0x51 || id == 0x52 ||
           id == 0x53 ||                // CLOCKLO CLOCKHI GLOBALTIMERLO GLOBALTIMERHI
           (id >= 0x54 && id <= 0x5b);  // performance counters
}

void mark_clock(OperandReader& r) {
    if (is_clock(r.bits(72, 8))) {
        r.trait(Trait::Clock);
        r.trait(Trait::Fence);
    }
}

void s2r(OperandReader& r) {
    r.gpr_def(16, 1);
    mark_clock(r);
}

void s2ur(OperandReader& r) {
    r.ugpr_def(16, 1);
    mark_clock(r);
}

void cs2r(OperandReader& r) {
    r.gpr_def(16, r.bit(80) ? 2 : 1);
    mark_clock(r);
}

// Forms of 0x189: 1 register lane and clamp, 2 register lane, 4 immediate lane, 7 both immediate.
void shfl(OperandReader& r) {
    r.gpr_def(16, 1);
    r.pred_def(81);
    r.gpr(24, 1, Role::Other);
    if (r.form() == 1 || r.form() == 2) r.gpr(32, 1, Role::Other);
    if (r.form() == 1 || r.form() == 4) r.gpr(64, 1, Role::Other);
}

void vote(OperandReader& r) {
    r.gpr_def(16, 1);
    r.pred_def(81);
    r.pred(87);
}

void voteu(OperandReader& r) {
    r.ugpr_def(16, 1);
    r.upred_def(81);
    r.pred(87);
}

void match(OperandReader& r) {
    r.gpr_def(16, 1);
    r.pred_def(81);
    r.gpr(24, r.bit(73) ? 2 : 1, Role::Other);
}

void r2ur(OperandReader& r) {
    r.ugpr_def(16, 1);
    r.gpr(24, 1, Role::A);
    r.pred_def(81);
}

void redux(OperandReader& r) {
    r.ugpr_def(16, 1);
    r.gpr(24, 1, Role::Other);
}

void elect(OperandReader& r) {
    r.pred_def(81);
    r.ugpr_def(16, 1);
    r.pred(87);
}

constexpr std::uint32_t kWarp = bit_of(Trait::WarpWide);
constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);

const OpcodeRow kRows[] = {
    {0x119, forms(4), "S2R", Unit::S2r, kVar, s2r},
    {0x1c3, forms(4), "S2UR", Unit::S2ur, kVar | Trait::InOrderS2ur | Trait::WarpWide, s2ur},
    {0x005, forms(4), "CS2R", Unit::Cs2r, 0, cs2r},
    {0x189, forms(1, 2, 4, 7), "SHFL", Unit::Mio, kWarp | kVar | Trait::InOrderMio, shfl},
    {0x006, forms(4), "VOTE", Unit::Alu, kWarp, vote},
    {0x086, forms(4), "VOTEU", Unit::UdpFast, kWarp, voteu},
    {0x1a1, forms(1), "MATCH", Unit::Match, kWarp | kVar, match},
    {0x1c2, forms(1), "R2UR", Unit::R2ur, kWarp | kVar, r2ur, 75, 89},
    {0x0ca, forms(1), "R2UR", Unit::R2ur, kWarp, r2ur, 90},
    {0x1c4, forms(1), "REDUX", Unit::Redux, kWarp | kVar, redux, 80},
    {0x02f, forms(4), "ELECT", Unit::AsyncGroup, kWarp, elect, 90},
};

}  // namespace

std::span<const OpcodeRow> warp_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
