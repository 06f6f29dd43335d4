// SPDX-License-Identifier: GPL-3.0-or-later
// What a decoded instruction does with registers, as the cases ask.
#pragma once
#include <algorithm>

#include "core/sass/decoder.h"

namespace cubinlab::test {

constexpr Arch kTuring{75, false}, kAmpere{80, false}, kAda{89, false}, kHopper{90, true};

inline bool has(const Instruction& in, RegFile file, int first, int count, Role role, bool read, bool write) {
    const Operand wanted{file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), role, read,
                         write};
    return std::find(in.operands.begin(), in.operands.end(), wanted) != in.operands.end();
}
inline bool reads(const Instruction& in, RegFile file, int first, int count, Role role) {
    return has(in, file, first, count, role, true, false);
}
inline bool writes(const Instruction& in, RegFile file, int first, int count, Role role = Role::Dest) {
    return has(in, file, first, count, role, false, true);
}

}  // namespace cubinlab::test
