// SPDX-License-Identifier: GPL-3.0-or-later
// Shape of a warpgroup matrix instruction (m64nNkK) from its word. Internal to core/sass.
#pragma once

#include "core/isa/word.h"

namespace cubinlab::sass {

struct GmmaShape {
    unsigned n = 0;
    unsigned k = 0;
    bool sparse = false;  // half of A's elements are stored; a metadata register selects them
    bool known = false;   // false: an encoding that ptxas has not been observed to emit; n and k are invalid
};

// Base opcodes of the four instructions.
inline constexpr unsigned kHgmma = 0x1f0, kIgmma = 0x1f1, kBgmma = 0x1f2, kQgmma = 0x1f3;

// Bit 73: sparse. HGMMA and QGMMA have N in bits 53-57 as N/8 - 1. BGMMA and IGMMA have fewer shapes,
// numbered in order: BGMMA has the number in bits 53-57, IGMMA has three times the number, plus one if
// sparse, in bits 53-58.
GmmaShape gmma_shape(const Word& word);

}  // namespace cubinlab::sass
