// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the output of `nvdisasm -c -hex` (11.8 to 13.x): the text of each instruction and the encoding
// printed next to it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/word.h"

namespace cubinlab {

struct DisassembledLine {
    std::uint32_t offset = 0;  // bytes
    std::string text;          // no trailing ";"; labels as `(.L_x_OFFSET)`, spaces collapsed
    Word word;                 // the encoding next to the text; {0, 0} if there is none
};

// By kernel name (from .text.NAME). Lines that cannot be parsed are skipped.
std::map<std::string, std::vector<DisassembledLine>> parse_nvdisasm(std::string_view output);

}  // namespace cubinlab
