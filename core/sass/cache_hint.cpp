// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cache_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

constexpr const char* kEvictions[] = {"evict_first", "evict_normal",    "evict_last",
                                      "last_use",    "evict_unchanged", "no_allocate"};
constexpr const char* kPrefetches[] = {"none", "64B", "128B", "256B"};

struct Field {
    unsigned at = 0, count = 0;  // count 0: the opcode has no such field
};

// The fields of an opcode, by its bits 0-8. `forms`: bit i: form i, which is in bits 9-11.
struct HintedOpcode {
    unsigned opcode;
    unsigned forms;
    Field eviction, prefetch;
};
constexpr unsigned kPlain = 1u << 1 | 1u << 4, kCopy = 1u << 6 | 1u << 7;
constexpr HintedOpcode kOpcodes[] = {
    {0x180, kPlain, {84, 3}, {68, 2}},  // LD
    {0x181, kPlain, {84, 3}, {68, 2}},  // LDG
    {0x185, kPlain, {84, 3}, {}},       // ST
    {0x186, kPlain, {84, 3}, {}},       // STG
    {0x1ae, kCopy, {}, {71, 2}},        // LDGSTS
};

const HintedOpcode* find_fields(const Word& word) {
    const auto same = [&](const HintedOpcode& o) {
        return o.opcode == word.bits(0, 9) && (o.forms >> word.bits(9, 3) & 1) != 0;
    };
    const auto found = std::ranges::find_if(kOpcodes, same);
    return found == std::end(kOpcodes) ? nullptr : found;
}

// Both fields are in the high half.
void put(Word& word, const Field& field, unsigned value) {
    if (field.count == 0) return;
    const std::uint64_t mask = ((1ull << field.count) - 1) << (field.at - 64);
    word.hi = (word.hi & ~mask) | (std::uint64_t{value} << (field.at - 64) & mask);
}

// What ptxas emits for one opcode and memory order.
struct SweptHints {
    std::string_view mnemonic;
    std::uint8_t order;   // bits 77-80
    std::uint8_t types;   // bit i: type i of bits 73-75
    std::uint32_t hints;  // bit 4 * eviction + prefetch
    std::uint32_t archs;  // of on()
};

constexpr std::array<int, 6> kSwept = {75, 80, 86, 87, 89, 90};
constexpr std::uint32_t on(int sm) {
    const auto at = std::find(kSwept.begin(), kSwept.end(), sm);
    return at == kSwept.end() ? 0 : 1u << (at - kSwept.begin());
}

constexpr SweptHints kHints[] = {
#include "core/sass/swept_hints.inc"
};

bool is_emitted(const Arch& arch, const Instruction& instruction, const CacheHint& hint) {
    const Word& word = instruction.word;
    const unsigned which = 4 * static_cast<unsigned>(hint.eviction) + static_cast<unsigned>(hint.prefetch);
    return std::ranges::any_of(kHints, [&](const SweptHints& row) {
        return row.mnemonic == instruction.mnemonic && row.order == word.bits(77, 4) &&
               (row.types >> word.bits(73, 3) & 1) != 0 && (row.archs & on(arch.sm)) != 0 &&
               (row.hints >> which & 1) != 0;
    });
}

}  // namespace

const char* to_string(Eviction eviction) {
    return enum_name<Eviction::NoAllocate>(kEvictions, eviction, "?");
}
const char* to_string(Prefetch prefetch) {
    return enum_name<Prefetch::Bytes256>(kPrefetches, prefetch, "?");
}

bool has_eviction(const Word& word) {
    const HintedOpcode* fields = find_fields(word);
    return fields != nullptr && fields->eviction.count != 0;
}
bool has_prefetch(const Word& word) {
    const HintedOpcode* fields = find_fields(word);
    return fields != nullptr && fields->prefetch.count != 0;
}

CacheHint CacheHint::decode(const Word& word) {
    CacheHint hint;
    const HintedOpcode* fields = find_fields(word);
    if (fields == nullptr) return hint;
    const auto [eviction, prefetch] = std::pair(fields->eviction, fields->prefetch);
    if (eviction.count != 0) hint.eviction = static_cast<Eviction>(word.bits(eviction.at, eviction.count));
    if (prefetch.count != 0) hint.prefetch = static_cast<Prefetch>(word.bits(prefetch.at, prefetch.count));
    return hint;
}

Word CacheHint::encode_into(Word word) const {
    const HintedOpcode* fields = find_fields(word);
    if (fields == nullptr) return word;
    put(word, fields->eviction, static_cast<unsigned>(eviction));
    put(word, fields->prefetch, static_cast<unsigned>(prefetch));
    return word;
}

std::uint32_t CacheHint::bits() const {
    return static_cast<std::uint32_t>(eviction) | static_cast<std::uint32_t>(prefetch) << 3;
}

CacheHint CacheHint::from_bits(std::uint32_t bits) {
    return {static_cast<Eviction>(bits & 7), static_cast<Prefetch>(bits >> 3 & 3)};
}

std::string CacheHint::text() const {
    return prefetch == Prefetch::None ? std::string(to_string(eviction))
                                      : fmt::format("{}+{}", to_string(eviction), to_string(prefetch));
}

Result<CacheHint> CacheHint::parse(std::string_view text) {
    const std::size_t plus = text.find('+');
    const auto eviction = enum_value<Eviction::NoAllocate>(kEvictions, text.substr(0, plus));
    auto prefetch = std::optional(Prefetch::None);
    if (plus != std::string_view::npos)
        prefetch = enum_value<Prefetch::Bytes256>(kPrefetches, text.substr(plus + 1));
    if (!eviction || !prefetch)
        return fail(ErrorCode::BadInput,
                    fmt::format("'{}' is not a cache hint such as evict_first or evict_normal+128B", text));
    return CacheHint{*eviction, *prefetch};
}

std::string hint_refusal(const Arch& arch, const Instruction& instruction, const CacheHint& hint) {
    const CacheHint own = CacheHint::decode(instruction.word);
    if (hint == own) return {};
    const char* name = instruction.mnemonic;
    if (find_fields(instruction.word) == nullptr || instruction.has(Trait::UnknownOpcode))
        return fmt::format("the hint {} is not possible: {} has no cache hint", hint.text(), name);
    if (own.eviction == Eviction::LastUse && hint.eviction != own.eviction)
        return fmt::format(
            "the hint {} is not possible: the program says last_use (.LU) here, and that stays", hint.text());
    if (hint.eviction == Eviction::LastUse && hint.eviction != own.eviction)
        return fmt::format(
            "the hint {} is not possible: last_use (.LU) promises that nobody reads the line again",
            hint.text());
    if (is_emitted(arch, instruction, hint)) return {};
    return fmt::format(
        "the hint {} is not possible: ptxas never emits it for {} with this type and memory order on {}",
        hint.text(), name, arch.name());
}

}  // namespace cubinlab
