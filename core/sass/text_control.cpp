// SPDX-License-Identifier: GPL-3.0-or-later
// Text of control flow, convergence, barriers, fences and special-register reads.
#include <fmt/format.h>

#include "core/sass/text_writer.h"

namespace cubinlab::sass {
namespace {

void predicate_if_any(TextWriter& w) {
    if (w.bits(87, 4) != 7) w.arg(w.pred_source(87));
}

std::string breg(const TextWriter& w, unsigned at) {
    return "B" + std::to_string(w.bits(at, 4));
}

void nothing(TextWriter&) {}

void bra(TextWriter& w) {
    w.mod_of(w.bits(32, 2), {"", "U", "DIV", "CONV"});
    w.mod_if(w.bits(32, 2) == 1 && w.bit(84), "ANY");
    predicate_if_any(w);
    if (w.form() == kImmC)  // a uniform predicate instead of a mask
        w.arg(TextWriter::uniform_pred(w.bits(24, 3), w.bit(27)));
    else if (w.bit(91))
        w.arg((w.bit(30) ? "~" : "") + w.ugpr(24));
    w.label(w.branch_target());
}

void exit(TextWriter& w) {
    w.mod_of(w.bits(84, 2), {"", "KEEPREFCOUNT", "PREEMPTED", "INVALID3"});
    predicate_if_any(w);
}

void brx(TextWriter& w) {
    w.arg(w.bits(0, 9) == 0x158 ? w.ugpr(24) : w.gpr(24));
    w.glue(" " + w.hex(w.branch_target() - static_cast<std::int64_t>(w.offset()) - kWordBytes));
}

void call_absolute(TextWriter& w) {
    w.mod("ABS");
    w.mod_if(w.bit(86), "NOINC");
    w.arg(w.form() == kImmB ? w.hex(static_cast<std::int64_t>(w.bits(34, 48) * 4)) : w.gpr(24));
}

void call_relative(TextWriter& w) {
    w.mod("REL");
    w.mod_if(w.bit(86), "NOINC");
    if (w.form() == 1) {
        w.arg(w.gpr(24));
        w.glue(fmt::format(" `(.L_x_{:x})", w.branch_target()));
    } else {
        w.label(w.branch_target());
    }
}

void ret(TextWriter& w) {
    w.mod("REL");
    w.mod_if(w.bit(86), "NODEC");
    w.arg(w.gpr(24));
    w.glue(fmt::format(" `(.L_x_{:x})", w.branch_target()));
}

void bssy(TextWriter& w) {
    w.arg(breg(w, 16));
    predicate_if_any(w);
    w.label(static_cast<std::int64_t>(w.offset()) + kWordBytes + w.signed_bits(34, 30) * 4);
}

void bsync(TextWriter& w) {
    predicate_if_any(w);
    w.arg(breg(w, 16));
}

void bmov_to_register(TextWriter& w) {
    w.mod("32");
    w.mod_if(w.bit(84), "CLEAR");
    w.dest();
    w.arg(breg(w, 24));
}

void bmov_from_register(TextWriter& w) {
    w.mod("32");
    w.mod_if(w.bit(84), "CLEAR");
    w.arg(breg(w, 24));
    w.arg(w.gpr(32));
}

void lepc(TextWriter& w) {
    w.dest();
    if (w.form() == 4)
        w.label(static_cast<std::int64_t>(w.offset()) + kWordBytes +
                static_cast<std::int64_t>(w.bits(24, 8)) + w.signed_bits(34, 48) * 256);
}

void warpsync(TextWriter& w) {
    if (w.form() == 1) {
        w.mod_if(w.bits(84, 3) == 2, "EXCLUSIVE");
        w.arg(w.gpr(w.sm() >= 90 ? 24 : 32));
        return;
    }
    w.mod_if(w.bit(86), "COLLECTIVE");
    if (w.sm() >= 90 && w.bits(32, 32) != 0xffffffff) w.mod("ALL");
    if (w.bit(86)) {
        w.label(w.branch_target());
        return;
    }
    if (w.bits(32, 32) != 0) w.arg(w.hex(static_cast<std::int64_t>(w.bits(32, 32))));
}

void bpt(TextWriter& w) {
    w.mod_of(w.bits(84, 3), {"DRAIN", "CAL", "PAUSE", "TRAP", "INT"});
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(34, 30))));
}

void bar(TextWriter& w) {
    w.mod_of(w.bits(77, 2), {"SYNC", "ARV", "RED", "SCAN"});
    if (w.bits(77, 2) == 2) w.mod_of(w.bits(74, 2), {"POPC", "AND", "OR"});
    w.mod_if(w.bit(80), "DEFER_BLOCKING");
    const auto barrier = w.hex(static_cast<std::int64_t>(w.bits(54, 4)));
    const auto count = w.hex(static_cast<std::int64_t>(w.bits(42, 12)));
    switch (
        w.form()) {  // 1: both in one register, 2: barrier in a register, 4: count in a register, 5: neither
        case 1:
            w.arg(w.gpr(32));
            w.arg(w.gpr(32));
            break;
        case 2:
            w.arg(w.gpr(32));
            w.arg(count);
            break;
        case 4:
            w.arg(barrier);
            w.arg(w.gpr(32));
            break;
        default:
            w.arg(barrier);
            if (w.bits(42, 12) != 0) w.arg(count);
            break;
    }
    if (w.bits(77, 2) >= 2) w.arg(w.pred_source(87));
}

void b2r(TextWriter& w) {
    w.mod("RESULT");
    w.dest();
    if (w.bits(81, 3) != 7) w.arg(w.pred(81));
}

void nanosleep(TextWriter& w) {
    w.arg(w.form() == 1 ? w.gpr(32) : w.hex(static_cast<std::int64_t>(w.bits(32, 32))));
}

void pmtrig(TextWriter& w) {
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(32, 32))));
}

void membar(TextWriter& w) {
    w.mod_of(w.bits(79, 2), {"SC", "ALL"});
    w.mod_of(w.bits(76, 3), {"CTA", "SM", "GPU", "SYS", "", "VC"});
}

void fence(TextWriter& w) {
    w.mod("VIEW");
    w.mod("ASYNC");
    w.mod_of(w.bits(76, 2), {"S", "G", "T"});
}

void depbar(TextWriter& w) {
    w.mod_if(w.bit(47), "LE");
    w.arg("SB" + std::to_string(w.bits(44, 3)));
    w.arg(w.hex(static_cast<std::int64_t>(w.bits(38, 6))));
    std::string more;  // "{2,1}": further scoreboards that have to be zero
    for (int s = 5; s >= 0; --s)
        if (w.bit(32 + static_cast<unsigned>(s))) more += (more.empty() ? "{" : ",") + std::to_string(s);
    if (!more.empty()) w.arg(more + "}");
}

std::string special_register(std::uint64_t id) {
    switch (id) {
        case 0x00:
            return "SR_LANEID";
        case 0x01:
            return "SR_CLOCK";
        case 0x02:
            return "SR_VIRTCFG";
        case 0x03:
            return "SR_VIRTID";
        case 0x0f:
            return "SR_ORDERING_TICKET";
        case 0x10:
            return "SR_PRIM_TYPE";
        case 0x20:
            return "SR_TID";
        case 0x21:
            return "SR_TID.X";
        case 0x22:
            return "SR_TID.Y";
        case 0x23:
            return "SR_TID.Z";
        case 0x25:
            return "SR_CTAID.X";
        case 0x26:
            return "SR_CTAID.Y";
        case 0x27:
            return "SR_CTAID.Z";
        case 0x28:
            return "SR_NTID";
        case 0x29:
            return "SR_CirQueueIncrMinusOne";
        case 0x2a:
            return "SR_NLATC";
        case 0x2d:
            return "SR_NCTAID";
        case 0x38:
            return "SR_EQMASK";
        case 0x39:
            return "SR_LTMASK";
        case 0x3a:
            return "SR_LEMASK";
        case 0x3b:
            return "SR_GTMASK";
        case 0x3c:
            return "SR_GEMASK";
        case 0x50:
            return "SR_CLOCKLO";
        case 0x51:
            return "SR_CLOCKHI";
        case 0x52:
            return "SR_GLOBALTIMERLO";
        case 0x53:
            return "SR_GLOBALTIMERHI";
        case 0x88:
            return "SR_CgaCtaId";
        case 0xff:
            return "SRZ";
        default:
            return fmt::format("SR{}", id);
    }
}

void s2r(TextWriter& w) {
    w.arg(w.bits(0, 9) == 0x1c3 ? w.ugpr(16) : w.gpr(16));
    w.arg(special_register(w.bits(72, 8)));
}

void cs2r(TextWriter& w) {
    w.mod_if(!w.bit(80), "32");
    w.dest();
    w.arg(special_register(w.bits(72, 8)));
}

const TextRow kRows[] = {
    {0x147, bra},
    {0x149, brx},
    {0x158, brx},
    {0x14d, exit},
    {0x143, call_absolute},
    {0x144, call_relative},
    {0x150, ret},
    {0x145, bssy},
    {0x141, bsync},
    {0x142, bsync},
    {0x155, bmov_to_register},
    {0x156, bmov_from_register},
    {0x148, warpsync},
    {0x14e, lepc},
    {0x146, predicate_if_any},
    {0x15b, predicate_if_any},
    {0x15c, bpt},
    {0x11b, nothing},
    {0x11d, bar},
    {0x11c, b2r},
    {0x15d, nanosleep},
    {0x001, pmtrig},
    {0x192, membar},
    {0x1ab, nothing},
    {0x1c6, fence},
    {0x11a, depbar},
    {0x1af, nothing},
    {0x118, nothing},
    {0x119, s2r},
    {0x1c3, s2r},
    {0x005, cs2r},
};

}  // namespace

std::span<const TextRow> control_text() {
    return kRows;
}

}  // namespace cubinlab::sass
