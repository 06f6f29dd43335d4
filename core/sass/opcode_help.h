// SPDX-License-Identifier: GPL-3.0-or-later
// Hover help: one paragraph about a mnemonic or a field of the control code. Statements about latencies and
// scoreboards match the traits that decode() sets.
#pragma once
#include <span>
#include <string_view>

namespace cubinlab {

struct OpcodeHelp {
    std::string_view name;   // "LDG"; for control fields "stall", "yield", "wait", "read", "write", "reuse"
    std::string_view title;  // a short title
    std::string_view text;   // one paragraph
};

// By base mnemonic; modifiers and a guard are ignored ("@!P2 LDG.E.128" finds LDG). Null if there is none.
const OpcodeHelp* opcode_help(std::string_view mnemonic);

// By field name as above. Null if there is none.
const OpcodeHelp* control_field_help(std::string_view field);

std::span<const OpcodeHelp> all_opcode_help();

}  // namespace cubinlab
