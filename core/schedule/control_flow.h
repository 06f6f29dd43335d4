// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction does to the flow of control, for the flow graph.
#pragma once
#include "core/sass/instruction.h"

namespace cubinlab {

enum class FlowKind {
    None,      // goes on to the next word
    Branch,    // BRA JMP: to branch_target
    Indirect,  // BRX JMX and their uniform forms
    Exit,      // EXIT KILL RTT: the thread ends
    Call,
    Return,
    Reconverge,  // BSYNC
    BlockEnd,    // ends a block and goes on (WARPSYNC, BREAK ...), perhaps to branch_target as well
    Unknown,     // an unknown opcode of the control-flow range
};

FlowKind flow_kind(const Instruction& instruction);
bool is_bssy(const Instruction& instruction);
// True where the branch may also fall through: a guard, any other register that decides, or the lanes themselves
// (BRA.DIV and BRA.CONV, which need not name a register).
bool is_conditional(const Instruction& branch);
// B register of BSSY and BSYNC.
unsigned barrier_register(const Instruction& instruction);

}  // namespace cubinlab
