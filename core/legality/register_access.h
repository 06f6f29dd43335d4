// SPDX-License-Identifier: GPL-3.0-or-later
// Registers of all files with one numbering, and the accesses of one instruction, for all data-flow analyses
// of this folder. Internal to core/legality.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/sass/instruction.h"

namespace cubinlab {

using RegIndex = std::uint16_t;  // R0..R255, then P0..P7, UR0..UR79, UP0..UP7, B0..B15
inline constexpr RegIndex kPredBase = 256;
inline constexpr RegIndex kUGprBase = kPredBase + 8;
inline constexpr RegIndex kUPredBase = kUGprBase + kUniformRegisters;
inline constexpr RegIndex kBRegBase = kUPredBase + 8;
inline constexpr RegIndex kRegCount = kBRegBase + 16;
// A virtual register for the last barrier: barriers write it and memory operations read it, so that the floor
// between them follows the same paths as a register latency.
inline constexpr RegIndex kBarrierReg = kRegCount;
// For wgmma: WARPGROUP.ARRIVE writes it, HGMMA and similar read it.
inline constexpr RegIndex kArriveReg = kRegCount + 1;
// For the scoreboard of the group: wgmma writes it, WARPGROUP.DEPBAR reads it.
inline constexpr RegIndex kGroupReg = kRegCount + 2;
// For CCTL.IVALL, which writes it: memory operations read it.
inline constexpr RegIndex kInvalidateReg = kRegCount + 3;
inline constexpr RegIndex kTrackedCount = kRegCount + 4;
constexpr bool is_virtual(RegIndex index) {
    return index >= kBarrierReg;
}
const char* virtual_name(RegIndex index);  // "barrier" ...; null for a register

RegIndex reg_index(RegFile file, unsigned reg);
std::string reg_name(RegIndex index);  // "R4", "UP1"
RegFile reg_file(RegIndex index);
unsigned reg_number(RegIndex index);

struct RegAccess {
    RegIndex reg = 0;
    std::uint8_t operand = 0;  // index into Instruction::operands
    bool read = false;
    bool write = false;
};
// Every register of every operand, one entry each, in operand order.
std::vector<RegAccess> accesses_of(const Instruction& instruction);
// A write in every lane: no guard, and all lanes of a quad (MOV may have a mask).
inline bool always_writes(const Instruction& instruction) {
    const bool masked_mov = (instruction.opcode & 0x1ff) == 0x002 && instruction.word.bits(72, 4) != 15;
    return !instruction.guarded() && !masked_mov;
}

// Bit sets of registers that an instruction reads and writes.
struct Footprint {
    static constexpr std::size_t kWords = (kRegCount + 63) / 64;
    std::array<std::uint64_t, kWords> reads{};
    std::array<std::uint64_t, kWords> writes{};

    static Footprint of(const Instruction& instruction);
    // True if a register prevents that the two change order.
    bool conflicts(const Footprint& other) const;
};

}  // namespace cubinlab
