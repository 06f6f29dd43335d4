// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/control_flow.h"

#include <string_view>

namespace cubinlab {

FlowKind flow_kind(const Instruction& instruction) {
    const std::string_view name = instruction.mnemonic;
    if (instruction.has(Trait::UnknownOpcode)) {
        // All control-flow opcodes are in this range, in any form; an unknown one may branch anywhere.
        const unsigned base = instruction.opcode & 0x1ff;
        return base >= 0x140 && base <= 0x15f ? FlowKind::Unknown : FlowKind::None;
    }
    if (!instruction.has(Trait::Terminator)) return FlowKind::None;
    if (name == "BRA" || name == "JMP") return FlowKind::Branch;
    if (name == "BRX" || name == "BRXU" || name == "JMX" || name == "JMXU") return FlowKind::Indirect;
    if (name == "EXIT" || name == "KILL" || name == "RTT") return FlowKind::Exit;
    if (name == "CALL") return FlowKind::Call;
    if (name == "RET") return FlowKind::Return;
    if (name == "BSYNC") return FlowKind::Reconverge;
    return FlowKind::BlockEnd;
}

bool is_bssy(const Instruction& instruction) {
    return std::string_view(instruction.mnemonic) == "BSSY";
}

bool is_conditional(const Instruction& branch) {
    constexpr unsigned kBra = 0x947, kQuestion = 32;  // two bits: none, .U, .DIV, .CONV
    if (branch.guarded()) return true;
    // Tests whether lanes converge. Before sm_90 it mostly has no register (URZ, on sm_75 none).
    if (branch.opcode == kBra && branch.word.bits(kQuestion, 2) >= 2) return true;
    for (const Operand& operand : branch.operands)
        if (operand.read) return true;
    return false;
}

unsigned barrier_register(const Instruction& instruction) {
    return static_cast<unsigned>(instruction.word.bits(16, 4));
}

}  // namespace cubinlab
