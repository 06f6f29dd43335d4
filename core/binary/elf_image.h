// SPDX-License-Identifier: GPL-3.0-or-later
// The section table of a 64-bit little-endian ELF file for CUDA. All ranges and indices are checked here
// once; the views contain only bytes of the file:
//   - section 0 is the null section: it has no bytes, whatever its header says;
//   - section contents are accessible only by ElfSection::bytes, numbers in them by load() or ByteCursor;
//   - ElfImage resolves links to other sections and returns nothing if the section does not exist.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/byte_view.h"
#include "core/base/result.h"

namespace cubinlab {

inline constexpr std::uint32_t kSectionRela = 4;
inline constexpr std::uint32_t kSectionNoBits = 8;
inline constexpr std::uint32_t kSectionRel = 9;

struct ElfSection {
    std::string_view name;  // points into the file
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    Bytes bytes;             // contents in the file; empty if no_bits()
    std::size_t offset = 0;  // file offset of the contents, for patches
    std::size_t size = 0;    // bytes in memory: size of `bytes`, or of a section without bytes
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    // Relocatable objects use section types of their own for sections without bytes in the file.
    bool no_bits() const {
        constexpr std::uint32_t kGlobal = 0x70000007, kLocal = 0x70000009, kShared = 0x7000000a,
                                kSharedReserved = 0x70000015;
        return type == kSectionNoBits || type == kGlobal || type == kLocal || type == kShared ||
               type == kSharedReserved;
    }
    bool executable() const { return (flags & 4) != 0; }
    bool relocates() const { return type == kSectionRel || type == kSectionRela; }
};

struct ElfSymbol {
    std::string_view name;
    std::uint8_t type = 0;      // 2 = function
    std::uint8_t other = 0;     // bit 4: kernel entry point (STO_CUDA_ENTRY)
    std::uint32_t section = 0;  // absolute and common symbols have a number above all sections
    std::uint64_t value = 0;    // byte offset in its section
    std::uint64_t size = 0;
};

struct ElfImage {
    std::uint8_t os_abi = 0;
    std::uint8_t abi_version = 0;
    std::uint32_t flags = 0;
    std::vector<ElfSection> sections;
    std::vector<ElfSymbol> symbols;

    // `bytes` must outlive the image. An error says what the file is instead (fatbin, PTX, host program ...).
    static Result<ElfImage> read(Bytes bytes, const std::string& where);
    const ElfSection* find(std::string_view name) const;
    // Null if there is no such symbol (a relocation may have any symbol number).
    const ElfSymbol* symbol(std::uint64_t index) const {
        return index < symbols.size() ? &symbols[index] : nullptr;
    }
};

// An entry of a REL or RELA section.
struct ElfRelocation {
    std::size_t entry_offset = 0;  // file offset of the entry
    std::uint64_t place = 0;       // byte offset in the section that is relocated
    std::uint32_t type = 0;
    std::uint32_t symbol = 0;             // index; may be invalid
    std::optional<std::uint64_t> addend;  // RELA only
};

// Calls `each` for every complete entry of a REL or RELA section.
template <class F>
void for_each_relocation(const ElfSection& section, F each) {
    const bool rela = section.type == kSectionRela;
    for (ByteCursor at(section.bytes); at.left() >= (rela ? 24 : 16);) {
        ElfRelocation r;
        r.entry_offset = section.offset + at.position();
        r.place = at.take<std::uint64_t>();
        const auto info = at.take<std::uint64_t>();
        r.type = static_cast<std::uint32_t>(info);
        r.symbol = static_cast<std::uint32_t>(info >> 32);
        if (rela) r.addend = at.take<std::uint64_t>();
        each(r);
    }
}

}  // namespace cubinlab
