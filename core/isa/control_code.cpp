// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/isa/control_code.h"

#include <fmt/format.h>

namespace cubinlab {
namespace {
constexpr std::uint64_t kControlMask = ((1ull << 21) - 1) << 41;  // bits 105..125, in the high half
}

ControlCode ControlCode::decode(const Word& word) {
    ControlCode c;
    c.stall = static_cast<std::uint8_t>(word.bits(105, 4));
    c.yield = !word.bit(109);
    c.write_barrier = static_cast<std::uint8_t>(word.bits(110, 3));
    c.read_barrier = static_cast<std::uint8_t>(word.bits(113, 3));
    c.wait_mask = static_cast<std::uint8_t>(word.bits(116, 6));
    c.reuse = static_cast<std::uint8_t>(word.bits(122, 4));
    return c;
}

Word ControlCode::encode_into(Word word) const {
    std::uint64_t field = stall & 0xfu;
    field |= static_cast<std::uint64_t>(yield ? 0 : 1) << 4;
    field |= static_cast<std::uint64_t>(write_barrier & 7u) << 5;
    field |= static_cast<std::uint64_t>(read_barrier & 7u) << 8;
    field |= static_cast<std::uint64_t>(wait_mask & 0x3fu) << 11;
    field |= static_cast<std::uint64_t>(reuse & 0xfu) << 17;
    word.hi = (word.hi & ~kControlMask) | (field << 41);
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
