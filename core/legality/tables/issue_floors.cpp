// SPDX-License-Identifier: GPL-3.0-or-later
// Requirements of a single instruction: minimum stall counts, and distances after fences, barriers and wgmma.
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

using namespace latency;

namespace {

constexpr unsigned kWarpgroupDepbarBit = 80;  // WARPGROUP.ARRIVE has it clear, WARPGROUP.DEPBAR set

}  // namespace

bool completes_by_scoreboard(const Arch&, const Instruction& instruction) {
    // Also DMMA and tensor instructions of sm_75 without a barrier: ptxas waits for that of a later one.
    return instruction.has(Trait::VariableLatency);
}

bool read_after_issue(const Instruction& instruction, RegFile file) {
    if (file != RegFile::UGpr) return file == RegFile::Gpr;
    constexpr unsigned kSyncsExchange = 0x1b2;  // all its operands are uniform
    const bool copy_unit = instruction.unit == Unit::AsyncGroup && instruction.mnemonic[0] == 'U';
    return copy_unit || (instruction.opcode & 0x1ff) == kSyncsExchange;
}

int stall_floor(const Arch& arch, const Instruction& instruction) {
    if (is_named(instruction, "MEMBAR")) return arch.sm < 80 ? 5 : 6;
    if (is_named(instruction, "BAR") && arch.sm < 80) return 5;
    if (is_named(instruction, "DEPBAR")) return 4;
    if (is_named(instruction, "BSYNC") || is_named(instruction, "EXIT")) return 5;
    return 0;
}

int fence_to_memory_floor(const Arch& arch, const Instruction& instruction, CheckMode mode) {
    // ptxas, random PTX: a surface load one cycle after B2R.RESULT, 7 after its barrier.
    if (mode == CheckMode::Absolute && arch.sm >= 90 && is_named(instruction, "B2R")) return 1;
    // Mostly 5, of which CCTL.IVALL takes 4; ptxas 13.0 has SYNCS, LDS, LDG and ATOM also at 2, never at 1.
    if (is_named(instruction, "UCGABAR_WAIT")) return mode == CheckMode::Absolute ? 2 : 5;
    // Between the halves of a cluster barrier no wait is needed: a load at 1 cycle, a store at 2 (ptxas 13.0).
    if (mode == CheckMode::Absolute && is_named(instruction, "UCGABAR_ARV")) return 1;
    if (instruction.unit == Unit::Barrier || is_named(instruction, "MEMBAR")) return arch.sm < 80 ? 5 : 6;
    return 0;
}

int arrive_to_wait_floor(const Instruction& instruction) {
    return is_named(instruction, "UCGABAR_ARV") ? 6 : 1;
}

int barrier_floor(const Arch& arch, const Instruction& instruction) {
    return is_named(instruction, "BAR") ? (arch.sm < 80 ? 5 : 6) : 0;
}

bool is_control_transfer(const Instruction& instruction) {
    return instruction.unit == Unit::Cbu &&
           (instruction.has(Trait::Terminator) || instruction.has(Trait::Branch) ||
            instruction.has(Trait::Convergence));
}

bool keeps_behind_barrier(const Instruction& instruction) {
    // At one cycle after BAR in 7 of 8 cases, at four in two.
    if (instruction.unit == Unit::R2ur || is_named(instruction, "ELECT")) return false;
    // ptxas 13.0, sm_120: UMOV.64 at one cycle (1 of 1), UMOV at six and more (18 of 18).
    constexpr unsigned kPairBit = 80;
    if (is_named(instruction, "UMOV") && instruction.word.bit(kPairBit)) return false;
    return is_decoupled(instruction) || instruction.unit == Unit::UdpFast;
}

bool changes_register_count(const Instruction& instruction) {
    return instruction.unit == Unit::AsyncGroup && is_named(instruction, "USETMAXREG");
}

int arrive_to_wgmma_floor(const Instruction& instruction) {
    return is_named(instruction, "WARPGROUP") && !instruction.word.bit(kWarpgroupDepbarBit) ? 6 : 0;
}

bool waits_for_wgmma(const Instruction& instruction) {
    return is_named(instruction, "WARPGROUP") && instruction.word.bit(kWarpgroupDepbarBit);
}

}  // namespace cubinlab
