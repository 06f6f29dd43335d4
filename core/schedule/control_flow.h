// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of an instruction on control flow, for the flow graph.
#pragma once
#include "core/sass/instruction.h"

namespace cubinlab {

enum class FlowKind {
    None,      // falls through
    Branch,    // BRA JMP: to branch_target
    Indirect,  // BRX JMX and their uniform forms
    Exit,      // EXIT KILL RTT: ends the thread
    Call,
    Return,
    Reconverge,  // BSYNC
    BlockEnd,    // ends a block and falls through (WARPSYNC ...), perhaps also branches to branch_target
    Unknown,     // an unknown opcode in the control-flow range
};

FlowKind flow_kind(const Instruction& instruction);
bool is_bssy(const Instruction& instruction);
// True if the branch can also fall through: it has a guard, reads another register, or tests the active lanes
// (BRA.DIV and BRA.CONV, which may have no register operand).
bool is_conditional(const Instruction& branch);
// The B register of BSSY or BSYNC.
unsigned barrier_register(const Instruction& instruction);

}  // namespace cubinlab
