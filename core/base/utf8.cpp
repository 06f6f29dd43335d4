// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

namespace cubinlab {

std::size_t utf8_sequence(std::string_view text, std::size_t at, std::uint32_t& code) {
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(at + i < text.size() ? text[at + i] : 0);
    };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        code = first;
        return 1;
    }
    const std::size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (size == 0 || first >= 0xf5) return 0;
    code = first & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : size;
}

bool is_utf8(std::string_view text) {
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = utf8_sequence(text, at, code);
        if (size == 0) return false;
        at += size;
    }
    return true;
}

std::string as_utf8(std::string_view text) {
    std::string out;
    std::uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = utf8_sequence(text, at, code);
        if (size != 0 && code != 0xfffd)
            out += text.substr(at, size);
        else if (!out.ends_with(kNotUtf8Mark))
            out += kNotUtf8Mark;
        at += size == 0 ? 1 : size;
    }
    return out;
}

}  // namespace cubinlab
