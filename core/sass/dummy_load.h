// SPDX-License-Identifier: GPL-3.0-or-later
// `@!PT LDS RZ, [RZ]`: a load that never executes; core/legality/rules/workaround_loads.h explains its purpose.
#pragma once
#include "core/sass/instruction.h"

namespace cubinlab {

inline bool is_dummy_load(const Instruction& instruction) {
    constexpr unsigned kLds = 0x184, kNever = 0xf;
    return (instruction.opcode & 0x1ff) == kLds && instruction.word.bits(12, 4) == kNever &&
           instruction.word.bits(16, 8) == 255;
}

}  // namespace cubinlab
