// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/isa/control_code.h"

#include <fmt/format.h>

namespace cubinlab {
namespace {
constexpr std::uint64_t kControlMask = ((1ull << 21) - 1) << 41;  // bits 105..125, in the high half
}

ControlCode ControlCode::from_bits(std::uint32_t bits) {
    ControlCode c;
    c.stall = bits & 0xf;
    c.yield = (bits >> 4 & 1) == 0;
    c.write_barrier = bits >> 5 & 7;
    c.read_barrier = bits >> 8 & 7;
    c.wait_mask = bits >> 11 & 0x3f;
    c.reuse = bits >> 17 & 0xf;
    return c;
}

std::uint32_t ControlCode::bits() const {
    std::uint32_t field = stall & 0xfu;
    field |= (yield ? 0u : 1u) << 4;
    field |= (write_barrier & 7u) << 5;
    field |= (read_barrier & 7u) << 8;
    field |= (wait_mask & 0x3fu) << 11;
    field |= (reuse & 0xfu) << 17;
    return field;
}

ControlCode ControlCode::decode(const Word& word) {
    return from_bits(static_cast<std::uint32_t>(word.bits(105, 21)));
}

Word ControlCode::encode_into(Word word) const {
    word.hi = (word.hi & ~kControlMask) | (std::uint64_t{bits()} << 41);
    return word;
}

std::string ControlCode::text() const {
    std::string wait = "B";
    for (int i = 0; i < 6; ++i)
        wait += (wait_mask >> i & 1) ? static_cast<char>('0' + i) : '-';
    auto slot = [](std::uint8_t b) { return b == kNoBarrier ? '-' : static_cast<char>('0' + b); };
    return fmt::format("{}:R{}:W{}:{}:S{:02d}", wait, slot(read_barrier), slot(write_barrier),
                       yield ? 'Y' : '-', stall);
}

Result<ControlCode> ControlCode::parse(std::string_view text) {
    auto bad = [&] {
        return fail(ErrorCode::BadInput,
                    fmt::format("'{}' is not a control code such as B0-----:R-:W1:Y:S04", text));
    };
    if (text.size() != 19 || text[0] != 'B' || text[7] != ':' || text[8] != 'R' || text[10] != ':' ||
        text[11] != 'W' || text[13] != ':' || text[15] != ':' || text[16] != 'S')
        return bad();
    ControlCode c;
    for (int i = 0; i < 6; ++i) {
        const char ch = text[1 + static_cast<std::size_t>(i)];
        if (ch == '0' + i)
            c.wait_mask |= static_cast<std::uint8_t>(1u << i);
        else if (ch != '-')
            return bad();
    }
    auto slot = [](char ch, std::uint8_t& out) {
        if (ch == '-') {
            out = kNoBarrier;
            return true;
        }
        if (ch < '0' || ch > '5') return false;
        out = static_cast<std::uint8_t>(ch - '0');
        return true;
    };
    if (!slot(text[9], c.read_barrier) || !slot(text[12], c.write_barrier)) return bad();
    if (text[14] != 'Y' && text[14] != '-') return bad();
    c.yield = text[14] == 'Y';
    if (text[17] < '0' || text[17] > '1' || text[18] < '0' || text[18] > '9') return bad();
    const int stall = (text[17] - '0') * 10 + (text[18] - '0');
    if (stall > 15) return bad();
    c.stall = static_cast<std::uint8_t>(stall);
    return c;
}

}  // namespace cubinlab
