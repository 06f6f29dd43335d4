// SPDX-License-Identifier: GPL-3.0-or-later
// Cross-lane operations, special registers, moves between vector and uniform registers.
#include <fmt/format.h>

#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr Sources kPlain{};

// Clocks, timers, performance counters (from 0x64, and snapshots): the value depends on the time of the read.
constexpr bool is_clock(std::uint64_t id) {
    return id == 0x01 || (id >= 0x50 && id <= 0x5b) || (id >= 0x64 && id <= 0x83);
}

std::string special_register(std::uint64_t id) {
    struct Name {
        unsigned id;
        const char* name;
    };
    static constexpr Name kNames[] = {
        {0x00, "SR_LANEID"},
        {0x01, "SR_CLOCK"},
        {0x02, "SR_VIRTCFG"},
        {0x03, "SR_VIRTID"},
        {0x0f, "SR_ORDERING_TICKET"},
        {0x10, "SR_PRIM_TYPE"},
        {0x20, "SR_TID"},
        {0x21, "SR_TID.X"},
        {0x22, "SR_TID.Y"},
        {0x23, "SR_TID.Z"},
        {0x25, "SR_CTAID.X"},
        {0x26, "SR_CTAID.Y"},
        {0x27, "SR_CTAID.Z"},
        {0x28, "SR_NTID"},
        {0x29, "SR_CirQueueIncrMinusOne"},
        {0x2a, "SR_NLATC"},
        {0x2d, "SR_NCTAID"},
        {0x38, "SR_EQMASK"},
        {0x39, "SR_LTMASK"},
        {0x3a, "SR_LEMASK"},
        {0x3b, "SR_GTMASK"},
        {0x3c, "SR_GEMASK"},
        {0x50, "SR_CLOCKLO"},
        {0x51, "SR_CLOCKHI"},
        {0x52, "SR_GLOBALTIMERLO"},
        {0x53, "SR_GLOBALTIMERHI"},
        {0x88, "SR_CgaCtaId"},
        {0xff, "SRZ"},
    };
    for (const Name& known : kNames)
        if (known.id == id) return known.name;
    return fmt::format("SR{}", id);
}

void special(Layout& l) {
    const auto id = l.bits(72, 8);
    if (is_clock(id)) {
        l.trait(Trait::Clock);
        l.trait(Trait::Fence);
    }
    if (l.writing()) l.arg(special_register(id));
}

void cs2r(Layout& l) {
    special(l.unless(80, "32").d(l.bit(80) ? 2 : 1));
}

// Forms: 1 register lane and clamp, 2 register lane, 4 immediate lane, 7 both immediate.
void shfl(Layout& l) {
    const unsigned form = l.form();
    l.mod(58, 2, "IDX|UP|DOWN|BFLY").pred_result(81).d().gpr(24, Role::Other);
    if (form == 1 || form == 2)
        l.gpr(32, Role::Other);
    else
        l.imm(53, 5);
    if (form == 1 || form == 4)
        l.gpr(64, Role::Other);
    else
        l.imm(40, 13);
}

void vote(Layout& l) {
    l.mod(72, 2, "ALL|ANY|EQ").shown(l.bits(16, 8) != 255).d().shown(true).pred_result(81).p(87);
}

void voteu(Layout& l) {
    l.mod(72, 2, "ALL|ANY|EQ").shown(!l.zero(RegFile::UGpr, 16)).ur_def().shown(true);
    l.upred_def(81).p(87);
}

void match(Layout& l) {
    const bool any = l.bit(79), wide = l.bit(73);
    l.mod(any ? "ANY" : "ALL").mod_if(wide, "U64").shown(!any).pred_result(81).shown(true);
    l.d().gpr(24, Role::Other, wide ? 2 : 1);
}

void r2ur(Layout& l) {
    l.carry(81).ur_def().a(kPlain);
}

void redux(Layout& l) {
    l.mod(78, 3, "|OR|XOR|SUM|MIN|MAX").flag(73, "S32").ur_def().gpr(24, Role::Other);
}

// REDUX of minimum and maximum with a fixed latency.
void credux(Layout& l) {
    if (l.bits(75, 2) != 0 || l.bits(80, 11) != 0) l.unverified();
    l.mod(78, 2, "MAX|MAXABS|MIN|MINABS").flag(73, "S32").flag(74, "F32").flag(77, "NAN");
    l.ur_def().slot(24, Role::A);
}

constexpr std::uint32_t kWarp = bit_of(Trait::WarpWide);
constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kWarpVar = kWarp | kVar;

const OpcodeRow kRows[] = {
    {0x119, forms(4), "S2R", Unit::S2r, kVar, [](Layout& l) { special(l.d()); }},
    {0x1c3, forms(4), "S2UR", Unit::S2ur, kWarpVar | Trait::InOrderS2ur,
     [](Layout& l) { special(l.ur_def()); }},
    {0x005, forms(4), "CS2R", Unit::Cs2r, 0, cs2r},
    {0x0cb, forms(4), "CS2UR", Unit::UdpFast, 0, cs2r, 100},
    {0x0cc, forms(1), "CREDUX", Unit::R2ur, kWarp, credux, 100},
    {0x189, forms(1, 2, 4, 7), "SHFL", Unit::Mio, kWarpVar | Trait::InOrderMio, shfl},
    {0x006, forms(4), "VOTE", Unit::Alu, kWarp, vote},
    {0x086, forms(4), "VOTEU", Unit::UdpFast, kWarp, voteu},
    {0x1a1, forms(1), "MATCH", Unit::Match, kWarpVar, match},
    {0x1c2, forms(1), "R2UR", Unit::R2ur, kWarpVar, r2ur, 75, 89},
    {0x0ca, forms(1), "R2UR", Unit::R2ur, kWarp, r2ur, 90},
    {0x1c4, forms(1), "REDUX", Unit::Redux, kWarpVar, redux, 80},
    {0x02f, forms(4), "ELECT", Unit::AsyncGroup, kWarp, [](Layout& l) { l.result(81).ur_def().p(87); }, 90},
};

}  // namespace

std::span<const OpcodeRow> warp_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
