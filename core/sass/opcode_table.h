// SPDX-License-Identifier: GPL-3.0-or-later
// One row per opcode: the nine low bits, the forms (bits 9..11) it exists in, what it is, and its layout,
// which gives operands and text alike. Families of rows live in ops_*.cpp. Internal to core/sass.
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
    std::uint8_t max_sm = 90;
};

// Row of a twelve-bit opcode on an architecture, null where there is none.
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

}  // namespace cubinlab::sass
