// SPDX-License-Identifier: GPL-3.0-or-later
// The cache hints of global loads, stores and copies: the eviction priority (bits 84-86 of LD, LDG, ST and STG) and the
// size of the L2 prefetch (bits 68-69 of LD and LDG, 71-72 of LDGSTS). PTX defines both as hints to performance: they
// change no result. The other cache bits are not hints: 77-80 are the memory order.
//
//   CacheHint hint = CacheHint::decode(word);
//   hint.eviction = Eviction::First;
//   if (hint_refusal(arch, instruction, hint).empty()) word = hint.encode_into(word);
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/isa/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

enum class Eviction : std::uint8_t { First, Normal, Last, LastUse, Unchanged, NoAllocate };  // as encoded
enum class Prefetch : std::uint8_t { None, Bytes64, Bytes128, Bytes256 };

struct CacheHint {
    Eviction eviction = Eviction::Normal;
    Prefetch prefetch = Prefetch::None;

    // A field that the instruction lacks has the value of the default hint.
    static CacheHint decode(const Word& word);
    Word encode_into(Word word) const;  // fields that the instruction lacks are ignored

    // Eviction in bits 0-2, prefetch in 3-4.
    std::uint32_t bits() const;
    static CacheHint from_bits(std::uint32_t bits);

    std::string text() const;  // "evict_first", "evict_normal+128B"
    static Result<CacheHint> parse(std::string_view text);

    friend bool operator==(const CacheHint&, const CacheHint&) = default;
};

const char* to_string(Eviction eviction);  // as in PTX: "evict_first"
const char* to_string(Prefetch prefetch);  // "none", "64B"

bool has_eviction(const Word& word);
bool has_prefetch(const Word& word);

// Why the instruction cannot have this hint instead of its own; empty: it can. Only what ptxas 13.0 emits for the same
// opcode, type and memory order is possible (tests/sweep/hints.py), without .lu, which promises a last use.
std::string hint_refusal(const Arch& arch, const Instruction& instruction, const CacheHint& hint);

}  // namespace cubinlab
