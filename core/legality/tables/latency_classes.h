// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of the latency tables: class of an instruction as writer or reader of one register.
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

// GPR classes. `reg` is the absolute register number: the halves of a wide result differ.
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
// The scoreboards that DEPBAR.LE SBn, 0, {mask} waits for; 0: not a DEPBAR.
std::uint8_t waits_by_name(const Instruction& instruction);
// True for queued instructions: memory, cross-lane, textures, special registers, transcendental.
bool is_decoupled(const Instruction& instruction);
bool is_mma(const Instruction& instruction);
// F2F, F2I, I2F and FRND to or from 64 bits: a separate queue. In ptxas code the barrier of a later one may
// cover an older one (15 of 36 pairs on sm_75, sm_86 and sm_90; the others have two waits), but no barrier
// covers a 32-bit and a 64-bit conversion (0 of 48).
bool is_wide_conversion(const Instruction& instruction);
// HMNMX2: runs on the ALU, but has the distances of half comparisons (HSET2).
bool is_half_minimum(const Instruction& instruction);
// Fixed-latency vector pipes (ALU, FMA, FP16, FP64 ...), without the tensor units.
bool is_vector(const Instruction& instruction);

}  // namespace cubinlab::latency
