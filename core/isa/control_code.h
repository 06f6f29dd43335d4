// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduling control field, bits 105..125 of every word; the same on sm_75 to sm_120. Text form of maxas
// and CuAssembler:
//
//   B0-----:R-:W1:Y:S04    wait mask : read barrier : write barrier : yield : stall count
//
// `yield` is true if a yield is requested; the encoding is bit 109 = 0.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/isa/word.h"

namespace cubinlab {

inline constexpr std::uint8_t kNoBarrier = 7;

struct ControlCode {
    std::uint8_t stall = 1;                      // cycles until this warp may issue again, 0..15
    bool yield = false;                          // "Y"
    std::uint8_t write_barrier = kNoBarrier;     // scoreboard 0..5, pending until the result is written
    std::uint8_t read_barrier = kNoBarrier;      // scoreboard 0..5, pending until the sources are read
    std::uint8_t wait_mask = 0;                  // bit i: do not issue until scoreboard i is 0
    std::uint8_t reuse = 0;                      // bits 0..2: keep operand slots a, b, c in the reuse cache

    static ControlCode decode(const Word& word);
    // Returns the word with this control field; bits 126-127 are unchanged.
    Word encode_into(Word word) const;

    // The field alone: bit 0 is bit 105 of the word.
    std::uint32_t bits() const;
    static ControlCode from_bits(std::uint32_t bits);

    std::string text() const;                    // "B------:R-:W-:-:S01" (reuse is shown on operands)
    static Result<ControlCode> parse(std::string_view text);

    friend bool operator==(const ControlCode&, const ControlCode&) = default;
};

}  // namespace cubinlab
