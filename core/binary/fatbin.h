// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the container of nvcc for device code ("fatbin"): a header of 16 bytes, then one entry for each piece
// of code and architecture. Numbers are little-endian; the next entry is at entry + header + stored bytes.
//
//   container   u32 0xBA55ED50, u16 version (1), u16 header bytes (16), u64 bytes that follow
//   entry       0 u16 kind, 4 u32 header bytes, 8 u64 stored bytes, 16 u32 compressed bytes (0: raw), 20 u32 offset of
//               {u32 text offset, u32 length} of the options, 24 u16 minor, 26 u16 major, 28 u32 architecture,
//               32 u32 name offset, 36 u32 name length, 40 u64 flags, 56 u64 unpacked bytes (0: raw)
//
// Source: files of nvcc 12.4 and 13.0 (tests/data/containers). Depends on core/base only, because
// libcubinlab-inject.so uses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/byte_view.h"
#include "core/binary/byte_search.h"
#include "core/isa/arch.h"

namespace cubinlab {

inline constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;

enum class ImageKind : std::uint8_t { Elf, Ptx, LtoIr, Other };
enum class Packing : std::uint8_t { Raw, Zstd, Lz4, Unknown };

struct FatbinEntry {
    ImageKind kind = ImageKind::Other;
    Packing packing = Packing::Raw;
    std::uint16_t kind_number = 0;  // the number in the file: 1 PTX, 2 ELF, 8 LTO-IR
    Arch arch;                      // with `a` or `f` from the flags
    std::uint64_t flags = 0;
    std::size_t header = 0;    // offset of the entry's header
    std::size_t payload = 0;   // offset of the stored bytes
    std::size_t stored = 0;    // size of the stored bytes: compressed, or raw with padding
    std::size_t unpacked = 0;  // size of the image according to the entry
    std::string_view name;     // source file (-g, -lineinfo); empty if there is none
    std::string_view options;  // ptxas options; empty if there are none or they are not text
};

struct Fatbin {
    std::size_t offset = 0;  // offsets count from the start of the given bytes
    std::size_t size = 0;    // including the header
    std::vector<FatbinEntry> entries;
    const char* damage = nullptr;  // why the entries end early; null: no damage
};

// True if a fatbin header is at `offset`.
bool is_fatbin(Bytes bytes, std::size_t offset = 0);
// Reads the fatbin at `offset`; requires is_fatbin(). Never reads outside `bytes`. A truncated fatbin yields
// its complete entries and sets `damage`.
Fatbin read_fatbin(Bytes bytes, std::size_t offset = 0);
// Finds all fatbins at multiples of eight bytes. `within`: ascending extents that may contain the start of
// one.
std::vector<Fatbin> find_fatbins(Bytes bytes);
std::vector<Fatbin> find_fatbins(Bytes bytes, std::span<const Extent> within);

}  // namespace cubinlab
