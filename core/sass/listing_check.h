// SPDX-License-Identifier: GPL-3.0-or-later
// Does a listing that came with a file say what the words are? Held against our own decoding: guard, opcode
// and every register named. Modifiers and constants are written in more than one way and are not compared.
#pragma once
#include <string_view>

namespace cubinlab {

// True: `line` and `own` (core/sass/decoder.h, render) tell of the same instruction.
bool same_instruction(std::string_view line, std::string_view own);

}  // namespace cubinlab
