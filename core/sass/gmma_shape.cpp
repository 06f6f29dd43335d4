// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/gmma_shape.h"

#include <iterator>

namespace cubinlab::sass {
namespace {

constexpr unsigned kIntegerN[] = {8,   16,  24,  32,  48,  64,  80,  96,  112,
                                  128, 144, 160, 176, 192, 208, 224, 240, 256};

unsigned eights(const Word& word) {
    return static_cast<unsigned>(word.bits(53, 5) + 1) * 8;
}

// Bits 76-77: f16, bf16, tf32. Bits 58-60: K of 16, 8, 32. Only f32 accumulators support all types.
GmmaShape half_shape(const Word& word, bool sparse) {
    static constexpr unsigned kK[] = {16, 8, 32};
    const auto code = word.bits(58, 3);
    const auto type = word.bits(76, 2);
    const bool f32 = word.bit(75);
    if (code > 2 || type > 2 || (!f32 && type != 0)) return {};
    const unsigned k = (type == 2 ? 8u : 16u) * (sparse ? 2 : 1);
    return {eights(word), k, sparse, kK[code] == k};
}

GmmaShape byte_float_shape(const Word& word, bool sparse) {
    return {eights(word), sparse ? 64u : 32u, sparse, word.bits(58, 3) == (sparse ? 1u : 0u)};
}

GmmaShape integer_shape(const Word& word, bool sparse) {
    const auto code = word.bits(53, 8);
    const auto index = code / 3;
    if (index >= std::size(kIntegerN) || code % 3 != (sparse ? 1u : 0u)) return {};
    return {kIntegerN[index], sparse ? 64u : 32u, sparse, true};
}

// Bits 76-82: AND.POPC, the only operation.
GmmaShape bit_shape(const Word& word, bool sparse) {
    const auto index = word.bits(53, 8);
    if (index >= std::size(kIntegerN) || sparse || word.bits(76, 7) != 0x14) return {};
    return {kIntegerN[index], 256, false, true};
}

}  // namespace

GmmaShape gmma_shape(const Word& word) {
    const bool sparse = word.bit(73);
    switch (word.bits(0, 9)) {
        case kHgmma:
            return half_shape(word, sparse);
        case kIgmma:
            return integer_shape(word, sparse);
        case kBgmma:
            return bit_shape(word, sparse);
        case kQgmma:
            return byte_float_shape(word, sparse);
        default:
            return {};
    }
}

}  // namespace cubinlab::sass
