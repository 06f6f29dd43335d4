// SPDX-License-Identifier: GPL-3.0-or-later
// Assembles an instruction from its text by editing encodings that a compiler made: finds the mnemonic in the
// `book_*` kernels of a cubin, and replaces register, predicate and immediate fields until the built-in
// renderer prints exactly that text. It invents no encoding: text that such edits of a compiled encoding
// cannot reach is an error.
//
//   auto word = book.assemble("@!P2 FFMA R20, R16, R9, R10");
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/binary/cubin.h"
#include "core/isa/word.h"

namespace cubinlab::probe {

constexpr Word with_bits(Word word, unsigned first, unsigned count, std::uint64_t value) {
    for (unsigned i = 0; i < count; ++i) {
        const unsigned at = first + i;
        std::uint64_t& half = at < 64 ? word.lo : word.hi;
        const std::uint64_t mask = 1ull << (at % 64);
        half = (value >> i & 1) != 0 ? half | mask : half & ~mask;
    }
    return word;
}

class WordBook {
  public:
    // Every kernel of the cubin whose name starts with "book_". Error: NotFound if there is none.
    static Result<WordBook> create(const Cubin& cubin);

    // The text is that of sm_90, whatever the architecture (probe_spelling.h).
    // A word without scheduling (stall 1, no barrier, no reuse, no yield) that renders as `text`.
    // Errors: NotFound, with the text. Branches have targets, which depend on their place: see branch().
    Result<Word> assemble(const std::string& text) const;
    // BRA with a guard ("", "@P1", "@!P1") from byte offset `at` to `target`.
    Result<Word> branch(const std::string& guard, std::uint32_t at, std::uint32_t target) const;
    // A word for the relative branches BSSY and BRA by name, unchanged but for its target.
    Result<Word> with_target(const std::string& mnemonic, std::uint32_t at, std::uint32_t target) const;

    const Arch& arch() const { return arch_; }

  private:
    Arch arch_;
    std::vector<Word> words_;
    mutable std::map<std::string, Word> made_;
};

}  // namespace cubinlab::probe
