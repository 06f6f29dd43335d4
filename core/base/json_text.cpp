// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"

#include <fmt/format.h>

namespace cubinlab {
namespace {

std::string hexadecimal(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes)
        out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return out;
}

template <class Json>
void collect(const Json& value, const typename Json::json_pointer& at, Json& out) {
    if (value.is_string()) {
        if (const auto& text = value.template get_ref<const std::string&>(); !is_utf8(text))
            out[at.to_string()] = hexadecimal(text);
    } else if (value.is_structured()) {
        for (const auto& [key, inner] : value.items()) {
            if (value.is_array())
                collect(inner, at / static_cast<std::size_t>(std::stoul(key)), out);
            else if (is_utf8(key))
                collect(inner, at / key, out);
        }
    }
}

}  // namespace

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

template <class Json>
std::string json_text(const Json& document, int indent) {
    constexpr auto kReplace = Json::error_handler_t::replace;
    Json bytes;
    if (document.is_object()) collect(document, typename Json::json_pointer(), bytes);
    if (bytes.is_null()) return document.dump(indent, ' ', true, kReplace);
    Json whole = document;
    whole[kNotUtf8] = std::move(bytes);
    return whole.dump(indent, ' ', true, kReplace);
}

template std::string json_text(const nlohmann::json&, int);
template std::string json_text(const nlohmann::ordered_json&, int);

}  // namespace cubinlab
