// SPDX-License-Identifier: GPL-3.0-or-later
// One row per opcode: its nine low bits, its valid forms (bits 9..11), unit, traits and layout, from which
// operands and text follow. ops_*.cpp define the rows. Internal to core/sass.
#pragma once
#include <cstdint>
#include <span>

#include "core/sass/instruction.h"
#include "core/sass/layout.h"

namespace cubinlab::sass {

struct OpcodeRow {
    std::uint16_t base = 0;  // bits 0..8
    std::uint8_t forms = 0;  // bit f set: form f exists
    const char* mnemonic = "?";
    Unit unit = Unit::Unknown;
    std::uint32_t traits = 0;
    LayoutFn layout = nullptr;  // null: no operands
    std::uint8_t min_sm = 75;
    std::uint8_t max_sm = 121;
};

// The row of a 12-bit opcode on an architecture; null if there is none.
const OpcodeRow* find_opcode(int sm, unsigned opcode);

constexpr std::uint8_t forms(auto... f) {
    return static_cast<std::uint8_t>((0u | ... | (1u << f)));
}

std::span<const OpcodeRow> integer_rows();
std::span<const OpcodeRow> float_rows();
std::span<const OpcodeRow> convert_rows();
std::span<const OpcodeRow> mma_rows();
std::span<const OpcodeRow> memory_rows();
std::span<const OpcodeRow> control_rows();
std::span<const OpcodeRow> warp_rows();
std::span<const OpcodeRow> async_rows();
std::span<const OpcodeRow> texture_rows();
std::span<const OpcodeRow> tensor_rows();

}  // namespace cubinlab::sass
