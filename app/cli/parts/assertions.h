// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that a compiled kernel must keep, for continuous integration: `check FILE --assert RULES`.
//
//   no-local               no local memory: no stack frame, no LDL, no STL
//   no-spills              no LDL or STL at a constant offset from the stack pointer, as ptxas spills registers
//   max-registers=N        at most N registers per thread
//   max-cycles=N           at most N modelled cycles of the whole kernel
//   hot-loop=OPCODE        the hot loop has this instruction; modifiers in any order: HMMA.16816
//   no-regression[=P%]     not more modelled cycles than the kernel of --against, or at most P % more
//   legal                  the legality rules have no finding in the kernel alone
#pragma once
#include <string>

#include "app/cli/parts/repair.h"

namespace cubinlab::cli {

// One line per broken rule; exit code 1 if there is one.
Result<int> run_assertions(const CheckOptions& options);

// Whether `text`, a line of a listing, is an instruction `opcode` with at least the modifiers that it names.
bool is_instruction(std::string_view text, std::string_view opcode);

}  // namespace cubinlab::cli
