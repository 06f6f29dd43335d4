// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/fatbin.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr std::size_t kContainerHeader = 16;
constexpr std::size_t kLeastEntryHeader = 64;
constexpr std::size_t kMostEntryHeader = 1 << 16;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagAccelerated = 0x100000;
constexpr std::uint64_t kFlagFamily = 0x200000;

ImageKind kind_of(std::uint16_t number) {
    switch (number) {
        case 1:
            return ImageKind::Ptx;
        case 2:
            return ImageKind::Elf;
        case 8:
            return ImageKind::LtoIr;
        default:
            return ImageKind::Other;
    }
}

std::string_view text_at(Bytes entry, std::size_t offset, std::size_t length) {
    const Bytes text = part_of(entry, offset, length);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

// Options of sm_100 entries are numbers, not text.
std::string_view readable(std::string_view text) {
    while (!text.empty() && (text.back() == '\0' || text.back() == ' '))
        text.remove_suffix(1);
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
    return plain ? text : std::string_view();
}

// Reads an entry whose `header` and `stored` are inside the bytes.
FatbinEntry read_entry(Bytes header, std::size_t place, std::size_t stored) {
    FatbinEntry entry;
    entry.kind_number = load<std::uint16_t>(header, 0);
    entry.kind = kind_of(entry.kind_number);
    entry.flags = load<std::uint64_t>(header, 40);
    entry.arch.sm = static_cast<int>(std::min<std::uint32_t>(load<std::uint32_t>(header, 28), 9999));
    entry.arch.accelerated = (entry.flags & kFlagAccelerated) != 0;
    entry.arch.family = !entry.arch.accelerated && (entry.flags & kFlagFamily) != 0;
    entry.header = place;
    entry.payload = place + header.size();
    entry.stored = entry.unpacked = stored;
    const std::size_t compressed = load<std::uint32_t>(header, 16);
    const auto unpacked = load<std::uint64_t>(header, 56);
    if (compressed != 0 || (entry.flags & (kFlagLz4 | kFlagZstd)) != 0) {
        entry.packing = (entry.flags & kFlagZstd) != 0  ? Packing::Zstd
                        : (entry.flags & kFlagLz4) != 0 ? Packing::Lz4
                                                        : Packing::Unknown;
        entry.stored = std::min(compressed, stored);
        entry.unpacked = unpacked;
    }
    entry.name = text_at(header, load<std::uint32_t>(header, 32), load<std::uint32_t>(header, 36));
    if (const std::size_t at = load<std::uint32_t>(header, 20); at != 0)
        entry.options =
            readable(text_at(header, load<std::uint32_t>(header, at), load<std::uint32_t>(header, at + 4)));
    return entry;
}

}  // namespace

bool is_fatbin(Bytes bytes, std::size_t offset) {
    return load<std::uint32_t>(bytes, offset) == kFatbinMagic &&
           load<std::uint16_t>(bytes, offset + 4) == 1 &&
           load<std::uint16_t>(bytes, offset + 6) == kContainerHeader &&
           offset + kContainerHeader <= bytes.size();
}

Fatbin read_fatbin(Bytes bytes, std::size_t offset) {
    Fatbin out;
    out.offset = offset;
    const auto follows = load<std::uint64_t>(bytes, offset + 8);
    const std::size_t room = bytes.size() - offset - kContainerHeader;
    if (follows > room) out.damage = "is truncated: it ends outside of the file or section";
    out.size = kContainerHeader + static_cast<std::size_t>(std::min<std::uint64_t>(follows, room));
    const Bytes whole = part_of(bytes, offset, out.size);
    for (std::size_t at = kContainerHeader; at < whole.size();) {
        const std::size_t left = whole.size() - at;
        const std::size_t header = load<std::uint32_t>(whole, at + 4);
        const auto stored = load<std::uint64_t>(whole, at + 8);
        if (left < kLeastEntryHeader || header < kLeastEntryHeader || header > kMostEntryHeader ||
            header > left || stored > left - header) {
            // Zeros after the last entry are padding.
            const Bytes rest = whole.subspan(at);
            const bool padding =
                std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
            if (!padding && !out.damage) out.damage = "has an entry that does not fit into it";
            return out;
        }
        out.entries.push_back(
            read_entry(whole.subspan(at, header), offset + at, static_cast<std::size_t>(stored)));
        at += header + static_cast<std::size_t>(stored);
    }
    return out;
}

std::vector<Fatbin> find_fatbins(Bytes bytes) {
    const Extent whole{0, bytes.size()};
    return find_fatbins(bytes, std::span(&whole, 1));
}

std::vector<Fatbin> find_fatbins(Bytes bytes, std::span<const Extent> within) {
    std::vector<Fatbin> out;
    std::size_t at = 0;
    for (const Extent& part : within) {
        const std::size_t end = part.offset + part.size;
        for (at = std::max(at, part.offset); (at = find_aligned(bytes, kFatbinMagicBytes, at, end)) < end;) {
            if (!is_fatbin(bytes, at)) {
                at += 8;
                continue;
            }
            out.push_back(read_fatbin(bytes, at));
            // A fatbin with a size beyond the end may hide others behind it.
            const std::size_t size = out.back().damage ? kContainerHeader : out.back().size;
            at += (size + 7) / 8 * 8;
        }
    }
    return out;
}

}  // namespace cubinlab
