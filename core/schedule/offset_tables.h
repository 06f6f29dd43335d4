// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in a kernel's attributes that name words by code offset and must follow a moved word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/binary/cubin.h"

namespace cubinlab {

// Records of `stride` bytes that begin with a code offset; record i belongs to record i of `partner_offset`.
struct OffsetTable {
    std::uint8_t code = 0;
    std::size_t offset = 0;  // file offset of the first record
    std::size_t stride = 4;  // bytes
    std::size_t count = 0;
    std::size_t partner_offset = 0;  // file offset of the parallel u32 list (COOP_GROUP_MASK_REGIDS); 0: none
    bool ascending = true;           // sorted by offset in the file; the writer keeps this order
};
std::vector<OffsetTable> find_offset_tables(std::span<const std::byte> bytes, const KernelInfo& info);

// A value in an attribute of unknown layout that equals the offset of a word: the word must not move.
struct UnpatchedValue {
    std::uint8_t code = 0;
    std::uint32_t offset = 0;
};
std::vector<UnpatchedValue> find_unpatched_values(std::span<const std::byte> bytes, const KernelInfo& info);

// True for relocations that only write operand bits of their word: r_offset follows the word.
bool relocation_follows_word(std::uint32_t type);

}  // namespace cubinlab
