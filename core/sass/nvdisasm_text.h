// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the output of `nvdisasm -c -hex` (11.8 to 13.x): one text per instruction and kernel, checked against
// the encoding that is printed beside it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/sass/word.h"

namespace cubinlab {

struct DisassembledLine {
    std::uint32_t offset = 0;  // bytes
    std::string text;          // no trailing ";"; labels as `(.L_x_OFFSET)`, spaces collapsed
    Word word;                 // as printed beside the text; {0, 0} where it was not
};

// By kernel name (of .text.NAME). Lines that are not understood are skipped.
std::map<std::string, std::vector<DisassembledLine>> parse_nvdisasm(std::string_view output);

}  // namespace cubinlab
