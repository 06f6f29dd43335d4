// SPDX-License-Identifier: GPL-3.0-or-later
// From bits to Instruction, and from bits to text. Both are pure functions of (architecture, word, offset).
// Sources of every field: resources/docs/decoder.md.
#pragma once
#include <cstdint>
#include <string>

#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// `offset`: byte offset of the word in its kernel (branch targets are relative).
// An opcode that is not in the tables comes back with Trait::UnknownOpcode, never as a guess.
Instruction decode(const Arch& arch, const Word& word, std::uint32_t offset);

// Built-in rendering in nvdisasm's notation, guard included, no trailing " ;":
//   "@!P2 LDG.E.128 R8, desc[UR6][R18.64]"
// Where a part is not understood it prints what is known, so it never fails. Branch targets print as
// `(.L_x_OFFSET)` with OFFSET in hexadecimal bytes.
std::string render(const Arch& arch, const Word& word, std::uint32_t offset);

}  // namespace cubinlab
