// SPDX-License-Identifier: GPL-3.0-or-later
// The control code as a kind of edit.
#include <fmt/format.h>

#include "core/isa/control_code.h"
#include "core/schedule/edit_kind.h"

namespace cubinlab {
namespace {

ControlCode code_of(FieldBits bits) {
    return ControlCode::from_bits(bits);
}

std::string barrier_text(const char* name, std::uint8_t before, std::uint8_t after) {
    const auto text = [](std::uint8_t barrier) {
        return barrier == kNoBarrier ? "none" : std::to_string(barrier);
    };
    return fmt::format("{} {} -> {}", name, text(before), text(after));
}

std::string wait_label(FieldBits before, FieldBits after) {
    const unsigned a = code_of(before).wait_mask, b = code_of(after).wait_mask;
    const bool more = (b & ~a) != 0, less = (a & ~b) != 0;
    return more && less ? "wait for others" : more ? "wait for more" : "wait for less";
}

std::string yield_text(FieldBits, FieldBits after) {
    return code_of(after).yield ? "yield on" : "yield off";
}

constexpr FieldPart kControlParts[] = {
    {MutationKind::Stall, 0xf,
     [](FieldBits a, FieldBits b) {
         return fmt::format("stall {} -> {}", code_of(a).stall, code_of(b).stall);
     },
     [](FieldBits a, FieldBits b) {
         return std::string(code_of(b).stall < code_of(a).stall ? "stall down" : "stall up");
     }},
    {MutationKind::Yield, 1u << 4, yield_text, yield_text},
    {MutationKind::Barrier, 7u << 5,
     [](FieldBits a, FieldBits b) {
         return barrier_text("write barrier", code_of(a).write_barrier, code_of(b).write_barrier);
     },
     [](FieldBits, FieldBits) { return std::string("write barrier"); }},
    {MutationKind::Barrier, 7u << 8,
     [](FieldBits a, FieldBits b) {
         return barrier_text("read barrier", code_of(a).read_barrier, code_of(b).read_barrier);
     },
     [](FieldBits, FieldBits) { return std::string("read barrier"); }},
    {MutationKind::Wait, 0x3fu << 11,
     [](FieldBits a, FieldBits b) {
         return fmt::format("wait mask 0x{:02x} -> 0x{:02x}", code_of(a).wait_mask, code_of(b).wait_mask);
     },
     wait_label},
    {MutationKind::Reuse, 0xfu << 17,
     [](FieldBits a, FieldBits b) {
         return fmt::format("reuse 0x{:x} -> 0x{:x}", code_of(a).reuse, code_of(b).reuse);
     },
     [](FieldBits, FieldBits) { return std::string("reuse"); }},
};

// "B0-----:R-:W1:Y:S04 r5": the reuse mask follows, which ControlCode::text() omits.
std::string control_word(FieldBits bits) {
    return fmt::format("{} r{}", code_of(bits).text(), code_of(bits).reuse);
}

Result<FieldBits> control_bits(std::string_view text) {
    const std::size_t blank = text.rfind(" r");
    if (blank == std::string_view::npos || blank + 3 != text.size() || text.back() < '0' || text.back() > '7')
        return fail(ErrorCode::BadInput, fmt::format("'{}' is not a control code", text));
    auto control = TRY(ControlCode::parse(text.substr(0, blank)));
    control.reuse = static_cast<std::uint8_t>(text.back() - '0');
    return control.bits();
}

}  // namespace

// The log has the upper nine digits of the word: bits 92-127.
constinit const FieldKind kControlField = {
    .kind = EditKind::Control,
    .name = "control code",
    .mask = (1u << 21) - 1,
    .letter = 'C',
    .digits = 9,
    .shift = 13,
    .has = [](const Word&) { return true; },
    .read = [](const Word& word) { return ControlCode::decode(word).bits(); },
    .write = [](const Word& word, FieldBits bits) { return code_of(bits).encode_into(word); },
    .text = control_word,
    .parse = control_bits,
    .refusal = nullptr,
    .changes_code = false,
    .parts = kControlParts,
};

}  // namespace cubinlab
