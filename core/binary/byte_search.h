// SPDX-License-Identifier: GPL-3.0-or-later
// Extents of a file and a fast byte search that uses memchr.
#pragma once
#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/base/byte_view.h"

namespace cubinlab {

struct Extent {
    std::size_t offset = 0, size = 0;
};

inline constexpr std::string_view kElfMagic =
                                      "\x7f"
                                      "ELF",
                                  kFatbinMagicBytes = "\x50\xed\x55\xba";

// The first offset in [from, to) where all of `what` fits; else `to`, or `from` if the range is empty.
inline std::size_t find_bytes(Bytes bytes, std::string_view what, std::size_t from, std::size_t to) {
    to = std::min(to, bytes.size());
    if (from >= to) return from;
    const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
    // The byte with the highest value is the rarest in text and numbers: memchr searches for it.
    const auto high = static_cast<std::size_t>(std::max_element(what.begin(), what.end(),
                                                                [](char a, char b) {
                                                                    return static_cast<unsigned char>(a) <
                                                                           static_cast<unsigned char>(b);
                                                                }) -
                                               what.begin());
    for (std::size_t at = from + high; at < to; ++at) {
        const void* found = std::memchr(first + at, static_cast<unsigned char>(what[high]), to - at);
        if (!found) break;
        at = static_cast<std::size_t>(static_cast<const unsigned char*>(found) - first);
        const std::size_t begin = at - high;
        if (what.size() <= to - begin && std::memcmp(first + begin, what.data(), what.size()) == 0)
            return begin;
    }
    return to;
}

// As find_bytes, at multiples of eight: sections and loaded segments align device code so.
inline std::size_t find_aligned(Bytes bytes, std::string_view what, std::size_t from, std::size_t to) {
    to = std::min(to, bytes.size());
    do
        from = find_bytes(bytes, what, from, to);
    while (from < to && from % 8 != 0 && ++from);
    return from;
}

}  // namespace cubinlab
