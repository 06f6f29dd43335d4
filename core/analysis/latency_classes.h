// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of the latency tables: what an instruction is as a writer or a reader of one register.
#pragma once
#include <cstdint>

#include "core/sass/instruction.h"

namespace cubinlab::latency {

enum class Writer : std::uint8_t {
    Alu,
    Cs2r,
    Fma,
    WideLo,
    WideHi,
    Fp16,
    H2m,
    Fp64,
    Imma88,
    Mma1x,
    Mma2x,
    Dmma,
    None
};
enum class Reader : std::uint8_t { Alu, Fma, WideAb, WideChi, Fp16, H2m, Fp64, Mma, Xu, Memory, None };

// GPR classes. `reg` is the absolute register number: wide results differ between their halves.
Writer gpr_writer(const Instruction& instruction, const Operand& operand, unsigned reg);
Reader gpr_reader(const Instruction& instruction, const Operand& operand, unsigned reg);

enum class PredWriter : std::uint8_t { Alu, Fma, Fp16, Fp64, None };
enum class PredReader : std::uint8_t { Alu, Fma, Fp16, Fp64, Guard };
PredWriter pred_writer(const Instruction& instruction);
PredReader pred_reader(const Instruction& instruction, const Operand& operand);

enum class UniformWriter : std::uint8_t { Udp, Ldc, Mov, R2ur, None };
enum class UniformReader : std::uint8_t { Vector, Memory, Control, Bindless, Udp, Fast, Guard, None };
UniformWriter uniform_writer(const Instruction& instruction);
UniformReader uniform_reader(const Instruction& instruction, const Operand& operand);

bool is_named(const Instruction& instruction, const char* mnemonic);
// Scoreboards that DEPBAR waits for by name until they are zero: DEPBAR.LE SBn, 0, {mask}. 0: not a DEPBAR.
std::uint8_t waits_by_name(const Instruction& instruction);
// Issues to a queue: memory, lane crossing, textures, special registers, transcendental.
bool is_decoupled(const Instruction& instruction);
bool is_mma(const Instruction& instruction);
// F2F, F2I, I2F and FRND to or from 64 bits: a queue of their own beside the XU's. ptxas lets the barrier of a later one speak
// for an older one (15 of 36 pairs on sm_75, sm_86 and sm_90; in the others both are waited for by themselves), and never
// that of a 32-bit operation, nor the other way round (none of 48).
bool is_wide_conversion(const Instruction& instruction);
// HMNMX2, which keeps the distances of the comparisons of halves (HSET2), though it runs on the ALU.
bool is_half_minimum(const Instruction& instruction);
// Fixed-latency vector pipes: ALU, FMA, FP16, FP64 ... but not the tensor units.
bool is_vector(const Instruction& instruction);

}  // namespace cubinlab::latency
