// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/opcode_help.h"

#include <algorithm>

#include "core/sass/opcode_help_text.h"

namespace cubinlab {
namespace {

std::string_view base_mnemonic(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    if (!text.empty() && text.front() == '@') {
        const auto blank = text.find(' ');
        text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
    }
    return text.substr(0, text.find_first_of(". ;"));
}

const OpcodeHelp* find(std::span<const OpcodeHelp> table, std::string_view name) {
    const auto it =
        std::find_if(table.begin(), table.end(), [&](const OpcodeHelp& h) { return h.name == name; });
    return it == table.end() ? nullptr : &*it;
}

}  // namespace

const OpcodeHelp* opcode_help(std::string_view mnemonic) {
    return find(kOpcodeHelp, base_mnemonic(mnemonic));
}
const OpcodeHelp* control_field_help(std::string_view field) {
    return find(kControlFieldHelp, field);
}
std::span<const OpcodeHelp> all_opcode_help() {
    return kOpcodeHelp;
}

}  // namespace cubinlab
