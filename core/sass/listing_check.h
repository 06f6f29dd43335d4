// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a listing that comes with a file to the decoded words: guard, opcode and all registers. Modifiers
// and constants have several notations and are not compared.
#pragma once
#include <string_view>

namespace cubinlab {

// True if `line` and `own` (render() in core/sass/decoder.h) are the same instruction.
bool same_instruction(std::string_view line, std::string_view own);

}  // namespace cubinlab
