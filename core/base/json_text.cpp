// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"

#include <fmt/format.h>

#include "core/base/utf8.h"

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
