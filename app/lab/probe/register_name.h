// SPDX-License-Identifier: GPL-3.0-or-later
// Registers by their names in SASS: R4, P0, UR6, UP1, B0.
#pragma once
#include <charconv>
#include <string_view>

#include "core/sass/instruction.h"

namespace cubinlab {

struct RegisterName {
    RegFile file = RegFile::Gpr;
    unsigned number = 255;  // 255: the name has no number (RZ, PT)
};
// "UR6" -> {UGpr, 6}; a name without a known prefix is a vector register.
inline RegisterName parse_register(std::string_view name) {
    RegisterName out;
    for (const RegFile file : {RegFile::UGpr, RegFile::UPred, RegFile::Gpr, RegFile::Pred, RegFile::BReg})
        if (const std::string_view prefix = register_prefix(file); name.starts_with(prefix)) {
            out.file = file;
            name.remove_prefix(prefix.size());
            std::from_chars(name.data(), name.data() + name.size(), out.number);
            break;
        }
    return out;
}

}  // namespace cubinlab
