// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel's tuned schedule as a small text of its own, which finds its kernel by code identity alone
// (core/cubin/code_identity.h) and turns an image that holds the kernel into one that holds the tuned one:
//
//   cubinlab-schedule 1
//   kernel bmm                      for people; nothing is matched by it
//   sm 90
//   size 6912                       bytes of code
//   original 0123...                identity before, 32 digits
//   tuned 4567...                   identity after
//   word 1a0 000e220000000a00...    code offset and 16 bytes as they stand in the file
//   info 94 1b0 1a0                 32-bit value in .nv.info.KERNEL: offset there, old, new
//   move 1b0 1a0                    relocations of the word at the first offset go to the second
//
// (numbers hexadecimal but for `size` and `sm`). Made from two cubins that were compared and proven before
// (core/claims); here only what a swap needs is checked: equal length, the identity before and after.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/cubin/code_identity.h"

namespace cubinlab {

struct CodeSwap {
    struct Word {
        std::uint32_t at = 0;
        std::array<std::byte, 16> bytes = {};
    };
    struct InfoValue {
        std::uint32_t at = 0, from = 0, to = 0;
    };
    struct Move {
        std::uint32_t from = 0, to = 0;
    };
    std::string kernel;
    int sm = 0;
    std::uint64_t size = 0;
    Hash128 original, tuned;
    std::vector<Word> words;
    std::vector<InfoValue> info;
    std::vector<Move> moves;

    // Errors: BadInput, where the two differ in more than a swap can carry (length, sections, other bytes).
    static Result<CodeSwap> between(Bytes original, Bytes tuned, std::string_view kernel);
    static Result<CodeSwap> parse(std::string_view text, const std::string& where);
    std::string text() const;

    // Changes `image` in place: the kernel whose code is in `section`. False, with `image` as it was, if that is
    // not the kernel this swap is for or the result is not the one that was proven.
    bool apply(std::vector<std::byte>& image, const ElfImage& elf, std::size_t section) const;
};

}  // namespace cubinlab
