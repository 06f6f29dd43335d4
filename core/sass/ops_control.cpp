// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow, convergence barriers, barriers and fences.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

void target(OperandReader& r) {
    r.out.branch_target = static_cast<std::int64_t>(r.offset()) + kWordBytes + r.branch_displacement();
    r.trait(Trait::Branch);
    r.trait(Trait::AddressDependent);
}

// Bits 32-33: 1 .U, 2 .DIV, 3 .CONV; the latter two test a uniform register.
void bra(OperandReader& r) {
    target(r);
    r.pred(87);
    if (r.bit(91)) r.ugpr(24, 1, Role::Other);
}

// BRA.U with a uniform predicate: bits 24-26, negated by 27.
void bra_uniform(OperandReader& r) {
    target(r);
    r.pred(87);
    r.upred(24);
}

void exit(OperandReader& r) {
    r.pred(87);
}

// The jump adds a register pair to the displacement; the targets are known from the jump table alone.
void brx(OperandReader& r) {
    r.gpr(24, 2, Role::Other);
    r.pred(87);
    r.trait(Trait::AddressDependent);
}

void brxu(OperandReader& r) {
    r.ugpr(24, 2, Role::Other);
    r.pred(87);
    r.trait(Trait::AddressDependent);
}

void call_register(OperandReader& r) {
    r.gpr(24, 2, Role::Other);
}

// The address is an immediate: the linker fills it in, and the callee may be anything.
void call_absolute(OperandReader& r) {
    r.pred(87);
}

void call_relative_register(OperandReader& r) {
    r.gpr(24, 2, Role::Other);
    r.trait(Trait::AddressDependent);
}

void ret(OperandReader& r) {
    r.gpr(24, 2, Role::Other);
    r.pred(87);
    r.trait(Trait::AddressDependent);
}

// 30-bit distance from the next instruction to the reconvergence point.
void bssy(OperandReader& r) {
    r.breg(16, false, true);
    r.pred(87);
    r.out.branch_target = static_cast<std::int64_t>(r.offset()) + kWordBytes + r.signed_bits(34, 30) * 4;
    r.trait(Trait::AddressDependent);
}

void bsync(OperandReader& r) {
    r.breg(16, true, false);
    r.pred(87);
}

void break_op(OperandReader& r) {
    r.breg(16, true, true);
    r.pred(87);
}

void bmov_to_register(OperandReader& r) {
    r.gpr_def(16, 1);
    r.breg(24, true, r.bit(84));  // .CLEAR also clears it
}

void bmov_from_register(OperandReader& r) {
    r.breg(24, false, true);
    r.gpr(32, 1, Role::Other);
}

void lepc(OperandReader& r) {
    r.gpr_def(16, 2);
}

void warpsync_register(OperandReader& r) {
    r.gpr(r.sm() >= 90 ? 24 : 32, 1, Role::Other);
    r.pred(87);
}

// The collective form carries a branch target.
void warpsync_immediate(OperandReader& r) {
    r.pred(87);
    if (r.bit(86)) target(r);
}

// Mode in 77-78: SYNC ARV RED SCAN; a reduction reads a predicate.
void bar(OperandReader& r) {
    if (r.bits(77, 2) >= 2) r.pred(87);
}

// Register form: barrier number and thread count in one register.
void bar_register(OperandReader& r) {
    r.gpr(32, 1, Role::Other);
    bar(r);
}

// Result of a reducing barrier: a count or a predicate.
void b2r(OperandReader& r) {
    r.gpr_def(16, 1);
    r.pred_def(81);
}

void register_at_32(OperandReader& r) {
    r.gpr(32, 1, Role::Other);
    r.pred(87);
}

void depbar(OperandReader& r) {
    r.out.named_scoreboard = static_cast<std::int8_t>(r.bits(44, 3));
    r.out.named_count = static_cast<std::uint8_t>(r.bits(38, 6));
}

void ldgdepbar(OperandReader& r) {
    r.out.named_scoreboard = 0;
}

void nop(OperandReader&) {}

constexpr std::uint32_t kEnd = Trait::Terminator | Trait::Pinned;
constexpr std::uint32_t kAddress = Trait::AddressDependent | Trait::Pinned;
constexpr std::uint32_t kConverge = bit_of(Trait::Convergence);
constexpr std::uint32_t kFence = bit_of(Trait::Fence);
constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
// Calls may do anything to memory.
constexpr std::uint32_t kCall = kEnd | Trait::Fence;

const OpcodeRow kRows[] = {
    {0x147, forms(4), "BRA", Unit::Cbu, kEnd, bra},
    {0x147, forms(2), "BRA", Unit::Cbu, kEnd, bra_uniform, 90},
    {0x149, forms(4), "BRX", Unit::Cbu, kEnd, brx},
    {0x158, forms(4), "BRXU", Unit::Cbu, kEnd, brxu},
    {0x14d, forms(4), "EXIT", Unit::Cbu, kEnd | Trait::Fence, exit},
    {0x143, forms(4), "CALL", Unit::Cbu, kCall, call_absolute},
    {0x143, forms(1), "CALL", Unit::Cbu, kCall, call_register},
    {0x144, forms(1), "CALL", Unit::Cbu, kCall, call_relative_register},
    {0x144, forms(4), "CALL", Unit::Cbu, kCall, target},
    {0x150, forms(4), "RET", Unit::Cbu, kCall, ret},
    {0x145, forms(4), "BSSY", Unit::Cbu, kConverge | kAddress, bssy},
    {0x141, forms(4), "BSYNC", Unit::Cbu, kConverge | kEnd, bsync},
    {0x142, forms(4), "BREAK", Unit::Cbu, kConverge | kEnd, break_op},
    {0x155, forms(1), "BMOV", Unit::Cbu, kConverge | Trait::Pinned, bmov_to_register},
    {0x156, forms(1), "BMOV", Unit::Cbu, kConverge | Trait::Pinned, bmov_from_register},
    {0x148, forms(1), "WARPSYNC", Unit::Cbu, kConverge | kEnd | Trait::Fence, warpsync_register},
    {0x148, forms(4), "WARPSYNC", Unit::Cbu, kConverge | kEnd | Trait::Fence, warpsync_immediate},
    {0x14e, forms(1, 4), "LEPC", Unit::Cbu, kAddress, lepc},
    {0x146, forms(4), "YIELD", Unit::Cbu, kConverge | Trait::Pinned, exit},
    {0x15b, forms(4), "KILL", Unit::Cbu, kEnd | Trait::Fence, exit},
    {0x15c, forms(4), "BPT", Unit::Cbu, kEnd | Trait::Fence, nop},
    {0x11b, forms(4), "ENDCOLLECTIVE", Unit::Cbu, kConverge | kEnd | Trait::Fence, exit, 90},

    {0x11d, forms(1), "BAR", Unit::Barrier, kFence | Trait::WarpWide | Trait::VariableLatency, bar_register},
    {0x11d, forms(5), "BAR", Unit::Barrier, kFence | Trait::WarpWide | Trait::VariableLatency, bar},
    {0x11d, forms(2, 4), "BAR", Unit::Barrier, kFence | Trait::WarpWide | Trait::VariableLatency,
     bar_register},
    {0x11c, forms(1), "B2R", Unit::Barrier, kFence | Trait::VariableLatency, b2r},
    {0x15d, forms(4), "NANOSLEEP", Unit::Cbu, kFence, exit},
    {0x15d, forms(1), "NANOSLEEP", Unit::Cbu, kFence, register_at_32},
    {0x001, forms(4), "PMTRIG", Unit::Cbu, kFence | Trait::Pinned, exit},
    {0x192, forms(4), "MEMBAR", Unit::Fence, kFence | kVar, nop},
    {0x1ab, forms(4), "ERRBAR", Unit::Fence, kFence | kVar, nop},
    {0x1ab, forms(2), "CGAERRBAR", Unit::Fence, kFence | kVar, nop, 90},
    {0x1c6, forms(1), "FENCE", Unit::Fence, kFence | kVar, nop, 90},
    {0x11a, forms(4), "DEPBAR", Unit::Depbar, bit_of(Trait::ScoreboardByName), depbar},
    {0x1af, forms(4), "LDGDEPBAR", Unit::Depbar, Trait::ScoreboardByName | Trait::VariableLatency, ldgdepbar,
     80},
    {0x118, forms(4), "NOP", Unit::Nop, 0, nop},
};

}  // namespace

std::span<const OpcodeRow> control_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
