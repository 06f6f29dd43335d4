// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes bits to an Instruction or to text. Pure functions of (architecture, word, offset). Sources of every
// field: resources/docs/decoder.md.
#pragma once
#include <cstdint>
#include <string>

#include "core/isa/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// `offset`: byte offset of the word in its kernel (branch targets are relative). An opcode that is not in the
// tables has Trait::UnknownOpcode.
Instruction decode(const Arch& arch, const Word& word, std::uint32_t offset);

// Text in the notation of nvdisasm, with the guard, without a trailing " ;":
//   "@!P2 LDG.E.128 R8, desc[UR6][R18.64]"
// Prints the known parts of an instruction that is not fully decoded; never fails. A branch target is printed
// as `(.L_x_OFFSET)` with OFFSET in hexadecimal bytes.
std::string render(const Arch& arch, const Word& word, std::uint32_t offset);

}  // namespace cubinlab
