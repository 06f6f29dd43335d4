// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a file, and where a few bytes stand next in one, at the speed of the C library's search.
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

// The first place from `from` on where `what` stands whole before `to`; `to`, or what is not before it, where there is none.
inline std::size_t find_bytes(Bytes bytes, std::string_view what, std::size_t from, std::size_t to) {
    to = std::min(to, bytes.size());
    if (from >= to) return from;
    const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
    // The highest of its bytes is the rarest in text and numbers: that one is looked for.
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

// At a multiple of eight, as sections and loaded segments hold code.
inline std::size_t find_aligned(Bytes bytes, std::string_view what, std::size_t from, std::size_t to) {
    to = std::min(to, bytes.size());
    do
        from = find_bytes(bytes, what, from, to);
    while (from < to && from % 8 != 0 && ++from);
    return from;
}

}  // namespace cubinlab
