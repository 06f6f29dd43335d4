// SPDX-License-Identifier: GPL-3.0-or-later
// The cache hint as a kind of edit.
#include <fmt/format.h>

#include "core/sass/cache_hint.h"
#include "core/schedule/edit_kind.h"

namespace cubinlab {
namespace {

CacheHint hint_of(FieldBits bits) {
    return CacheHint::from_bits(bits);
}

constexpr FieldPart kHintParts[] = {
    {MutationKind::Hint, 7,
     [](FieldBits a, FieldBits b) {
         return fmt::format("{} -> {}", to_string(hint_of(a).eviction), to_string(hint_of(b).eviction));
     },
     [](FieldBits, FieldBits b) { return std::string(to_string(hint_of(b).eviction)); }},
    {MutationKind::Hint, 3u << 3,
     [](FieldBits a, FieldBits b) {
         return fmt::format("prefetch {} -> {}", to_string(hint_of(a).prefetch),
                            to_string(hint_of(b).prefetch));
     },
     [](FieldBits, FieldBits b) { return std::string("prefetch ") + to_string(hint_of(b).prefetch); }},
};

}  // namespace

constinit const FieldKind kHintField = {
    .kind = EditKind::Hint,
    .name = "cache hint",
    .mask = 0x1f,
    .letter = 'H',
    .digits = 2,
    .shift = 0,
    .has = [](const Word& word) { return has_eviction(word) || has_prefetch(word); },
    .read = [](const Word& word) { return CacheHint::decode(word).bits(); },
    .write = [](const Word& word, FieldBits bits) { return hint_of(bits).encode_into(word); },
    .text = [](FieldBits bits) { return hint_of(bits).text(); },
    .parse = [](std::string_view text) -> Result<FieldBits> {
        auto hint = TRY(CacheHint::parse(text));
        return hint.bits();
    },
    .refusal = [](const Arch& arch, const Instruction& instruction,
                  FieldBits bits) { return hint_refusal(arch, instruction, hint_of(bits)); },
    .changes_code = true,
    .parts = kHintParts,
};

}  // namespace cubinlab
