// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of a kernel's attributes that name words by code offset and so must follow a moved word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cubin/cubin.h"

namespace cubinlab {

// Records of `stride` bytes that start with a code offset; record i of `partner_offset` belongs to record i.
struct OffsetTable {
    std::uint8_t code = 0;
    std::size_t offset = 0;  // file offset of the first record
    std::size_t stride = 4;  // bytes
    std::size_t count = 0;
    std::size_t partner_offset =
        0;                  // file offset of the parallel u32 list (COOP_GROUP_MASK_REGIDS), 0 = none
    bool ascending = true;  // sorted by offset in the file, and kept so
};
std::vector<OffsetTable> find_offset_tables(std::span<const std::byte> bytes, const KernelInfo& info);

// A value in an attribute that is not understood, equal to the offset of some word: that word must stay.
struct UnpatchedValue {
    std::uint8_t code = 0;
    std::uint32_t offset = 0;
};
std::vector<UnpatchedValue> find_unpatched_values(std::span<const std::byte> bytes, const KernelInfo& info);

// Relocations that write operand bits of the word they name, so that r_offset simply follows the word.
bool relocation_follows_word(std::uint32_t type);

}  // namespace cubinlab
