// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one JSON object field by field, the only JSON that this library needs.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/utf8.h"

namespace cubinlab::inject {

class JsonText {
  public:
    void field(const char* key, std::string_view value) { add(key, quoted(value)); }
    void field(const char* key, const char* value) { add(key, quoted(value)); }
    void field(const char* key, bool value) { add(key, value ? "true" : "false"); }
    void field(const char* key, std::uint64_t value) { add(key, std::to_string(value)); }
    void field(const char* key, double value) { add(key, number(value)); }
    void field(const char* key, const std::vector<float>& values) {
        std::string out;
        for (const float value : values)
            out += (out.empty() ? "" : ",") + number(static_cast<double>(value));
        add(key, "[" + out + "]");
    }
    void list(const char* key, const std::vector<std::string>& values) {
        std::vector<std::string> all;
        for (const std::string& value : values)
            all.push_back(quoted(value));
        raw_list(key, all);
    }
    // `value` is already JSON.
    void raw_list(const char* key, const std::vector<std::string>& values) {
        std::string out;
        for (const std::string& value : values)
            out += (out.empty() ? "" : ",\n  ") + value;
        add(key, "[" + out + "]");
    }
    void raw(const char* key, std::string_view value) { add(key, std::string(value)); }
    std::string text() const { return "{" + text_ + "}"; }

  private:
    static std::string number(double value) {
        // Not with printf: the program may have set a locale with a decimal comma.
        char out[40];
        const auto end = std::to_chars(out, out + sizeof out, std::isfinite(value) ? value : 0.0,
                                       std::chars_format::general, 9);
        return std::string(out, end.ptr);
    }
    static std::string quoted(std::string_view value) {
        std::string out = "\"";
        for (const char c : as_utf8(value)) {
            if (c == '"' || c == '\\') {
                out += '\\';
                out += c;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
                out += escape;
            } else {
                out += c;
            }
        }
        return out + "\"";
    }
    void add(const char* key, const std::string& value) {
        text_ += (text_.empty() ? "" : ",\n ") + quoted(key) + ": " + value;
    }
    std::string text_;
};

}  // namespace cubinlab::inject
