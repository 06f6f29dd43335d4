// SPDX-License-Identifier: GPL-3.0-or-later
// The section table of a 64-bit little-endian ELF file for CUDA, with every offset checked once, here. The
// rest of the reader may index sections without fear of the file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

inline constexpr std::uint32_t kSectionRela = 4;
inline constexpr std::uint32_t kSectionNoBits = 8;
inline constexpr std::uint32_t kSectionRel = 9;

struct ElfSection {
    std::string_view name;  // points into the file
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::size_t offset = 0;  // file offset, bytes; inside the file unless no_bits()
    std::size_t size = 0;    // bytes; the bytes are in the file unless no_bits()
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    // Relocatable objects have types of their own for what takes no room in the file.
    bool no_bits() const {
        constexpr std::uint32_t kGlobal = 0x70000007, kLocal = 0x70000009, kShared = 0x7000000a,
                                kSharedReserved = 0x70000015;
        return type == kSectionNoBits || type == kGlobal || type == kLocal || type == kShared ||
               type == kSharedReserved;
    }
    bool executable() const { return (flags & 4) != 0; }
};

struct ElfSymbol {
    std::string_view name;
    std::uint8_t type = 0;   // 2 = function
    std::uint8_t other = 0;  // bit 4: kernel entry point (STO_CUDA_ENTRY)
    std::uint16_t section = 0;
    std::uint64_t value = 0;  // byte offset in its section
    std::uint64_t size = 0;
};

struct ElfImage {
    std::uint8_t os_abi = 0;
    std::uint8_t abi_version = 0;
    std::uint32_t flags = 0;
    std::vector<ElfSection> sections;
    std::vector<ElfSymbol> symbols;

    // `bytes` must outlive the image. Errors say what the file is instead (fatbin, PTX, host program ...).
    static Result<ElfImage> read(std::span<const std::byte> bytes, const std::string& where);
    const ElfSection* find(std::string_view name) const;
};

// Reads a little-endian T at `offset`; the caller has checked that it is inside.
template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

}  // namespace cubinlab
