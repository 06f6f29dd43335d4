// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned schedule of one kernel as a small text. It identifies its kernel by code identity alone
// (core/binary/code_identity.h) and changes an image with the original kernel to one with the tuned kernel:
//
//   cubinlab-schedule 1
//   kernel bmm                      for people; not used for matching
//   sm 90
//   size 6912                       bytes of code
//   original 0123...                identity before, 32 digits
//   tuned 4567...                   identity after
//   word 1a0 000e220000000a00...    code offset and the 16 bytes in the file
//   info 94 1b0 1a0                 32-bit value in .nv.info.KERNEL: offset there, old, new
//   move 1b0 1a0                    relocations of the word at the first offset move to the second
//   cubin bmm.0123.cubin 89ab...    instead of word, info and move: a file next to the text and its hash. Its kernel, which was
//                                   compiled again, runs in the place of the original
//
// Numbers are hexadecimal except `size` and `sm`. The two cubins are compared and checked before
// (core/evidence); here only the size and the identities before and after are checked.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/binary/code_identity.h"

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
    std::string cubin;             // name of the file; empty: the words above
    std::vector<std::byte> whole;  // its bytes; read by whoever reads the text
    Hash128 cubin_hash;

    bool is_whole() const { return cubin_hash != Hash128(); }

    // Errors: BadInput if the difference is more than a swap can express (length, sections, other bytes).
    static Result<CodeSwap> between(Bytes original, Bytes tuned, std::string_view kernel);
    // The kernel of `cubin` in the place of the original. Errors: NotFound, Unsupported (the cubin has variables, of which the
    // program and a second load would each have their own).
    static Result<CodeSwap> with_cubin(Bytes original, std::string_view original_kernel, Bytes cubin,
                                       std::string_view kernel);
    // The file that the text names, as it was read. Errors: Corrupt (another file).
    Status take_cubin(std::vector<std::byte> bytes);
    static Result<CodeSwap> parse(std::string_view text, const std::string& where);
    // The name of a kernel as text() writes it.
    static std::string name_in_text(std::string_view kernel);
    std::string text() const;

    // Changes the kernel with code in `section` of `image` in place. Returns false and leaves `image`
    // unchanged if it is not the original kernel or the result is not the tuned kernel.
    bool apply(std::vector<std::byte>& image, const ElfImage& elf, std::size_t section) const;
};

}  // namespace cubinlab
