// SPDX-License-Identifier: GPL-3.0-or-later
// Shape of a warpgroup matrix instruction (m64nNkK) as its word codes it. Internal to core/sass.
#pragma once

#include "core/sass/word.h"

namespace cubinlab::sass {

struct GmmaShape {
    unsigned n = 0;
    unsigned k = 0;
    bool sparse = false;  // A holds half of its elements, a metadata register tells which
    bool known = false;   // false: a coding that ptxas has not been seen to emit; n and k mean nothing
};

// Base opcodes of the four kinds.
inline constexpr unsigned kHgmma = 0x1f0, kIgmma = 0x1f1, kBgmma = 0x1f2, kQgmma = 0x1f3;

// Bit 73 is set in sparse ones. N of HGMMA and QGMMA is in bits 53-57 as N/8 - 1. Integers and single bits
// have fewer shapes, numbered in order: BGMMA has the number in bits 53-57, IGMMA three times the number,
// and one more where sparse, in bits 53-58.
GmmaShape gmma_shape(const Word& word);

}  // namespace cubinlab::sass
