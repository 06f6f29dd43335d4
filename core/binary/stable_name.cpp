// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/stable_name.h"

#include <charconv>

namespace cubinlab {
namespace {

constexpr std::string_view kNamespaces[] = {"_GLOBAL__N_", "_INTERNAL_"};
constexpr std::string_view kStatic = "__nv_static_";  // __nv_static_LENGTH_MODULE_NAME

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t number_at(std::string_view text, std::size_t& at) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    const std::size_t first = at;
    at = static_cast<std::size_t>(end - text.data());
    return error == std::errc{} && at > first ? value : 0;
}

std::string with_length(std::string_view identifier) {
    return std::to_string(identifier.size()) + std::string(identifier);
}

// An identifier of a mangled name without the hash of its file; empty: it has none.
std::string without_file(std::string_view identifier) {
    for (const std::string_view prefix : kNamespaces)
        if (identifier.starts_with(prefix)) return std::string(prefix);
    if (!identifier.starts_with(kStatic)) return {};
    std::size_t at = kStatic.size();
    const std::size_t module = number_at(identifier, at);
    // An underscore before and behind the module's name.
    if (module == 0 || identifier.size() - at < module + 2) return {};
    return std::string(kStatic) + std::string(identifier.substr(at + module + 2));
}

}  // namespace

std::string stable_name(std::string_view mangled) {
    if (mangled.find("_GLOBAL__N_") == std::string_view::npos && mangled.find("_INTERNAL_") == std::string_view::npos &&
        mangled.find(kStatic) == std::string_view::npos)
        return std::string(mangled);
    std::string out;
    for (std::size_t at = 0; at < mangled.size();) {
        if (!is_digit(mangled[at])) {
            out += mangled[at++];
            continue;
        }
        std::size_t end = at;
        const std::size_t length = number_at(mangled, end);
        const std::string_view identifier = mangled.substr(end, length);
        const std::string stable = identifier.size() == length ? without_file(identifier) : std::string();
        if (stable.empty()) {
            out += mangled.substr(at, end - at);
            at = end;
        } else {
            out += with_length(stable);
            at = end + length;
        }
    }
    // A static function in C, or one that its name mangles no further.
    if (const std::string stable = without_file(out); !stable.empty()) return stable;
    return out;
}

}  // namespace cubinlab
