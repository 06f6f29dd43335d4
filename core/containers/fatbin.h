// SPDX-License-Identifier: GPL-3.0-or-later
// The container that nvcc puts device code into ("fatbin"): a header of 16 bytes and entries, one for each piece
// of code and architecture. Numbers are little-endian; the next entry stands at entry + header + stored bytes.
//
//   container   u32 0xBA55ED50, u16 version (1), u16 header bytes (16), u64 bytes that follow
//   entry       0 u16 kind, 4 u32 header bytes, 8 u64 stored bytes, 16 u32 compressed bytes (0: raw), 20 u32 offset of
//               {u32 text offset, u32 length} of the options, 24 u16 minor, 26 u16 major, 28 u32 architecture,
//               32 u32 name offset, 36 u32 name length, 40 u64 flags, 56 u64 unpacked bytes (0: raw)
//
// Source: files of nvcc 12.4 and 13.0 (tests/data/containers). Only base/ is needed here: the code stands in programs
// that have no other library of ours.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/byte_view.h"
#include "core/containers/byte_search.h"
#include "core/sass/arch.h"

namespace cubinlab {

inline constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;

enum class ImageKind : std::uint8_t { Elf, Ptx, LtoIr, Other };
enum class Packing : std::uint8_t { Raw, Zstd, Lz4, Unknown };

struct FatbinEntry {
    ImageKind kind = ImageKind::Other;
    Packing packing = Packing::Raw;
    std::uint16_t kind_number = 0;  // as in the file: 1 PTX, 2 ELF, 8 LTO-IR
    Arch arch;                      // with the `a` or `f` that the flags tell
    std::uint64_t flags = 0;
    std::size_t header = 0;    // place of the entry's header
    std::size_t payload = 0;   // place of the stored bytes
    std::size_t stored = 0;    // bytes in the file that hold something: compressed, or raw with their padding
    std::size_t unpacked = 0;  // bytes of the image, as the entry says
    std::string_view name;     // of the source file (-g, -lineinfo); empty where there is none
    std::string_view options;  // of ptxas; empty where there are none, or where they are no text
};

struct Fatbin {
    std::size_t offset = 0;  // places are counted from the start of the bytes given
    std::size_t size = 0;    // with its header
    std::vector<FatbinEntry> entries;
    const char* damage = nullptr;  // why the entries end early; null: they do not
};

// True if a container's header stands at `offset`.
bool is_fatbin(Bytes bytes, std::size_t offset = 0);
// The container at `offset`, where is_fatbin() holds. Never reads outside of `bytes`; a container that is cut short
// gives the whole entries it has and says so in `damage`.
Fatbin read_fatbin(Bytes bytes, std::size_t offset = 0);
// All containers that begin at a multiple of eight bytes, as sections and loaded segments hold them; `within`: ascending parts
// of the bytes where one may begin, instead of anywhere.
std::vector<Fatbin> find_fatbins(Bytes bytes);
std::vector<Fatbin> find_fatbins(Bytes bytes, std::span<const Extent> within);

}  // namespace cubinlab
