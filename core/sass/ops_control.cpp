// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow, convergence barriers, barriers and fences.
#include <fmt/format.h>

#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

std::int64_t next(const Layout& l) {
    return static_cast<std::int64_t>(l.offset()) + kWordBytes;
}

// sm_75..89: 4-byte units in bits 34..81. sm_90: the low 8 bits moved to 16..23.
std::int64_t displacement(const Layout& l) {
    if (l.sm() < 90) return l.signed_bits(34, 48) * 4;
    return (l.signed_bits(34, 48) * 256 + static_cast<std::int64_t>(l.bits(16, 8))) * 4;
}

void target(Layout& l) {
    l.out.branch_target = next(l) + displacement(l);
    l.trait(Trait::Branch);
    l.trait(Trait::AddressDependent);
    l.label(l.out.branch_target);
}

// Branches that add a register to the target.
void relative_to_register(Layout& l) {
    l.trait(Trait::AddressDependent);
    if (l.writing()) l.glue(fmt::format(" `(.L_x_{:x})", next(l) + displacement(l)));
}

void only_predicate(Layout& l) {
    l.p_if_used(87);
}

// Bits 32-33: 1 .U, 2 .DIV, 3 .CONV; .DIV and .CONV test a uniform register.
Layout& bra_kind(Layout& l) {
    return l.mod(32, 2, "|U|DIV|CONV").mod_if(l.bits(32, 2) == 1 && l.bit(84), "ANY").p_if_used(87);
}

void bra(Layout& l) {
    bra_kind(l);
    if (l.bit(91)) {
        const bool six_bits = l.sm() < 100;
        l.add(RegFile::UGpr, l.bits(24, six_bits ? 6 : 8), 1, Role::Other, true, false, Rank::Predicate);
        if (l.writing()) l.arg((six_bits && l.bit(30) ? "~" : "") + l.name(RegFile::UGpr, 24));
    }
    target(l);
}

// BRA.U with a uniform predicate: bits 24-26, negated by 27.
void bra_uniform(Layout& l) {
    target(bra_kind(l).pred(RegFile::UPred, 24));
}

void exit(Layout& l) {
    l.mod(84, 2, "|KEEPREFCOUNT|PREEMPTED|INVALID3").p_if_used(87);
}

// The jump adds a register pair to the displacement; only the jump table has the targets.
template <RegFile file>
void brx(Layout& l) {
    l.trait(Trait::AddressDependent);
    l.reg(file, 24, Role::Other, 2).number_glued(displacement(l)).shown(false).p(87);
}

// The linker fills in an immediate address; the callee is unknown.
void call_absolute(Layout& l) {
    l.mod("ABS").flag(86, "NOINC");
    if (l.form() == kRegReg)
        l.gpr(24, Role::Other, 2);
    else
        l.number(static_cast<std::int64_t>(l.bits(34, 48) * 4)).shown(false).p(87);
}

void call_relative(Layout& l) {
    l.mod("REL").flag(86, "NOINC");
    if (l.form() == kRegReg)
        relative_to_register(l.gpr(24, Role::Other, 2));
    else
        target(l);
}

void ret(Layout& l) {
    relative_to_register(l.mod("REL").flag(86, "NODEC").gpr(24, Role::Other, 2));
    l.shown(false).p(87);
}

Layout& barrier(Layout& l, unsigned at, bool read, bool written) {
    l.add(RegFile::BReg, l.bits(at, 4), 1, Role::Other, read, written);
    return l.writing() ? l.arg(l.name(RegFile::BReg, at)) : l;
}

Layout& convergence_kind(Layout& l) {
    return l.sm() < 100 ? l : l.flag(72, "RELIABLE").flag(73, "RECONVERGENT");
}

// 30-bit distance from the next instruction to the reconvergence point.
void bssy(Layout& l) {
    convergence_kind(l);
    l.out.branch_target = next(l) + l.signed_bits(34, 30) * 4;
    l.trait(Trait::AddressDependent);
    barrier(l, 16, false, true).p_if_used(87).label(l.out.branch_target);
}

void bsync(Layout& l) {
    barrier(convergence_kind(l).p_if_used(87), 16, true, false);
}

void break_op(Layout& l) {
    barrier(convergence_kind(l).p_if_used(87), 16, true, true);
}

// .CLEAR also clears the register.
void bmov_to_register(Layout& l) {
    barrier(l.mod("32").flag(84, "CLEAR").d(), 24, true, l.bit(84));
}

void bmov_from_register(Layout& l) {
    barrier(l.mod("32").flag(84, "CLEAR"), 24, false, true).gpr(32, Role::Other);
}

void lepc(Layout& l) {
    l.d(2);
    if (l.form() == kImmB)
        l.label(next(l) + static_cast<std::int64_t>(l.bits(24, 8)) + l.signed_bits(34, 48) * 256);
}

// The return address. Which instructions read it is not known.
void rpcmov(Layout& l) {
    const bool to_register = l.out.opcode % 2 != 0;
    if (l.bits(64, 27) != 0) l.unverified();
    l.mod("32");
    if (to_register) l.d();
    l.arg("Rpc.LO");
    if (!to_register) l.gpr(32, Role::Other);
}

// On sm_90 the register form may also be collective and have a target.
void warpsync_register(Layout& l) {
    const bool collective = l.sm() >= 90 && l.bit(86);
    l.mod_if(collective, "COLLECTIVE").mod_if(l.bits(84, 3) == 2, "EXCLUSIVE");
    l.gpr(l.sm() >= 90 ? 24 : 32, Role::Other);
    if (collective) target(l);
    l.shown(false).p(87);
}

// sm_80 to sm_89: mask in a constant bank or uniform register (the register form of sm_90 has another slot).
void warpsync_uniform(Layout& l) {
    if (l.bit(86) || l.sm() >= 90) l.unverified();
    l.mod_if(l.bits(84, 3) == 2, "EXCLUSIVE").b({}).shown(false).p(87);
}

// The collective form has a branch target.
void warpsync_immediate(Layout& l) {
    const bool collective = l.bit(86);
    l.mod_if(collective, "COLLECTIVE").mod_if(l.sm() >= 90 && l.bits(32, 32) != 0xffffffff, "ALL");
    if (collective)
        target(l);
    else if (l.bits(32, 32) != 0)
        l.imm(32, 32);
    l.shown(false).p(87);
}

// Mode in 77-78; a reduction reads a predicate. Form 1: barrier number and thread count in one register, 2:
// number in a register, 4: count in a register, 5: neither.
void bar(Layout& l) {
    const unsigned form = l.form();
    const auto mode = l.bits(77, 2);
    l.mod_of(mode, "SYNC|ARV|RED|SCAN");
    if (mode == 2) l.mod(74, 2, "POPC|AND|OR");
    l.flag(80, "DEFER_BLOCKING");
    if (form == kImmB || form == kConstB) l.imm(54, 4);
    if (form != kConstB) l.gpr(32, Role::Other);
    if (form == kRegReg && l.writing()) l.arg(l.name(RegFile::Gpr, 32));
    if (form == kImmC || (form == kConstB && l.bits(42, 12) != 0)) l.imm(42, 12);
    if (mode >= 2) l.p(87);
}

// Result of a reducing barrier: count or predicate.
void b2r(Layout& l) {
    l.mod("RESULT").d().carry(81);
}

void nanosleep(Layout& l) {
    if (l.form() == kImmB)
        l.imm(32, 32);
    else
        l.b({});
    l.shown(false).p(87);
}

void depbar(Layout& l) {
    l.out.named_scoreboard = static_cast<std::int8_t>(l.bits(44, 3));
    l.out.named_count = static_cast<std::uint8_t>(l.bits(38, 6));
    if (!l.writing()) return;
    l.flag(47, "LE").arg("SB" + std::to_string(l.bits(44, 3))).imm(38, 6);
    std::string more;  // "{2,1}": other scoreboards that must be zero
    for (unsigned s = 6; s-- > 0;)
        if (l.bit(32 + s)) more += (more.empty() ? "{" : ",") + std::to_string(s);
    if (!more.empty()) l.arg(more + "}");
}

void membar(Layout& l) {
    l.mod(79, 2, "SC|ALL").mod(76, 3, "CTA|SM|GPU|SYS||VC");
}

constexpr std::uint32_t kEnd = Trait::Terminator | Trait::Pinned;
constexpr std::uint32_t kAddress = Trait::AddressDependent | Trait::Pinned;
constexpr std::uint32_t kConverge = bit_of(Trait::Convergence);
// ptxas sets a scoreboard for the register in both directions and waits for it (182 reads, 207 results).
constexpr std::uint32_t kSaved = Trait::Convergence | Trait::Pinned | Trait::VariableLatency;
constexpr std::uint32_t kFence = bit_of(Trait::Fence);
constexpr std::uint32_t kVarFence = Trait::Fence | Trait::VariableLatency;
// A call may access any memory.
constexpr std::uint32_t kCall = kEnd | Trait::Fence;

const OpcodeRow kRows[] = {
    {0x147, forms(4), "BRA", Unit::Cbu, kEnd, bra},
    {0x147, forms(2), "BRA", Unit::Cbu, kEnd, bra_uniform, 90},
    {0x149, forms(4), "BRX", Unit::Cbu, kEnd, brx<RegFile::Gpr>},
    {0x158, forms(4), "BRXU", Unit::Cbu, kEnd, brx<RegFile::UGpr>},
    {0x14d, forms(4), "EXIT", Unit::Cbu, kEnd | Trait::Fence, exit},
    {0x143, forms(1, 4), "CALL", Unit::Cbu, kCall, call_absolute},
    {0x144, forms(1, 4), "CALL", Unit::Cbu, kCall, call_relative},
    {0x150, forms(4), "RET", Unit::Cbu, kCall, ret},
    {0x145, forms(4), "BSSY", Unit::Cbu, kConverge | kAddress, bssy},
    {0x141, forms(4), "BSYNC", Unit::Cbu, kConverge | kEnd, bsync},
    {0x142, forms(4), "BREAK", Unit::Cbu, kConverge | kEnd, break_op},
    {0x155, forms(1), "BMOV", Unit::Cbu, kSaved, bmov_to_register},
    {0x156, forms(1), "BMOV", Unit::Cbu, kSaved, bmov_from_register},
    {0x148, forms(1), "WARPSYNC", Unit::Cbu, kConverge | kEnd | Trait::Fence, warpsync_register},
    {0x148, forms(4), "WARPSYNC", Unit::Cbu, kConverge | kEnd | Trait::Fence, warpsync_immediate},
    {0x148, forms(5, 6), "WARPSYNC", Unit::Cbu, kConverge | kEnd | Trait::Fence, warpsync_uniform},
    {0x14e, forms(1, 4), "LEPC", Unit::Cbu, kAddress, lepc},
    {0x152, forms(1), "RPCMOV", Unit::Cbu, kAddress | Trait::Fence, rpcmov, 100},
    {0x153, forms(1), "RPCMOV", Unit::Cbu, kAddress | Trait::Fence, rpcmov, 100},
    {0x146, forms(4), "YIELD", Unit::Cbu, kConverge | Trait::Pinned, only_predicate},
    {0x15b, forms(4), "KILL", Unit::Cbu, kEnd | Trait::Fence, only_predicate},
    {0x15c, forms(4), "BPT", Unit::Cbu, kEnd | Trait::Fence,
     [](Layout& l) { l.mod(84, 3, "DRAIN|CAL|PAUSE|TRAP|INT").imm(34, 30); }},
    {0x11b, forms(4), "ENDCOLLECTIVE", Unit::Cbu, kConverge | kEnd | Trait::Fence, only_predicate, 90},

    {0x11d, forms(1, 2, 4, 5), "BAR", Unit::Barrier, kVarFence | Trait::WarpWide, bar},
    {0x11c, forms(1), "B2R", Unit::Barrier, kVarFence, b2r},
    {0x15d, forms(1, 4, 5, 6), "NANOSLEEP", Unit::Cbu, kFence, nanosleep},
    {0x001, forms(4), "PMTRIG", Unit::Cbu, kFence | Trait::Pinned,
     [](Layout& l) { l.imm(32, 32).shown(false).p(87); }},
    {0x192, forms(4), "MEMBAR", Unit::Fence, kVarFence, membar},
    {0x1ab, forms(4), "ERRBAR", Unit::Fence, kVarFence},
    {0x1ab, forms(2), "CGAERRBAR", Unit::Fence, kVarFence, {}, 90},
    {0x1c6, forms(1), "FENCE", Unit::Fence, kVarFence,
     [](Layout& l) { l.mod("VIEW").mod("ASYNC").mod(76, 2, "S|G|T"); }, 90},
    {0x11a, forms(4), "DEPBAR", Unit::Depbar, bit_of(Trait::ScoreboardByName), depbar},
    {0x1af, forms(4), "LDGDEPBAR", Unit::Depbar, Trait::ScoreboardByName | Trait::VariableLatency,
     [](Layout& l) { l.out.named_scoreboard = 0; }, 80},
    {0x118, forms(4), "NOP", Unit::Nop, 0},
};

}  // namespace

std::span<const OpcodeRow> control_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
