// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bounded_json.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/byte_view.h"
#include "core/base/utf8.h"

namespace cubinlab {
namespace {

using nlohmann::json;

std::string too_deep() {
    return "is nested more than " + std::to_string(kMostJsonDepth) + " deep";
}
std::string too_many() {
    return "holds more than " + std::to_string(kMostJsonValues) + " values";
}

// Scans brackets, strings and commas only. It misreads only malformed text, which the parser rejects at that
// position.
class TextScan {
  public:
    TextScan(std::string_view text, bool comments) : text_(text), comments_(comments) {}

    // Returns which limit is exceeded, or nothing.
    std::string run() {
        std::size_t depth = 0, values = 1;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"') skip_string();
            if (c == '/' && comments_) skip_comment();
            if (c == ',' || c == '[' || c == '{')
                if (++values > kMostJsonValues) return too_many();
            if (c == '[' || c == '{')
                if (++depth > kMostJsonDepth) return too_deep();
            if ((c == ']' || c == '}') && depth > 0) --depth;
        }
        return {};
    }

  private:
    void skip_string() {
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == '"') {
                ++at_;
                return;
            }
        }
    }
    void skip_comment() {
        const char kind = at_ < text_.size() ? text_[at_] : '\0';
        const std::size_t end = kind == '/'   ? text_.find('\n', at_)
                                : kind == '*' ? text_.find("*/", at_ + 1)
                                              : at_;
        at_ = end == std::string_view::npos ? text_.size() : end + (kind == '*' ? 2 : 0);
    }

    std::string_view text_;
    bool comments_;
    std::size_t at_ = 0;
};

class CborScan {
  public:
    explicit CborScan(std::span<const std::byte> bytes) : at_(bytes) {}

    // Returns what is wrong, or nothing.
    std::string run() {
        std::array<std::uint64_t, kMostJsonDepth + 1> open{};  // items still missing at each level
        std::size_t depth = 0, values = 0;
        open[0] = 1;
        while (true) {
            while (depth > 0 && open[depth] == 0)
                --depth;
            if (open[depth] == 0) break;  // depth 0: the whole document
            --open[depth];
            if (++values > kMostJsonValues) return too_many();
            std::uint64_t items = 0;
            bool container = false;
            if (std::string problem = item(items, container); !problem.empty()) return problem;
            if (!container) continue;
            if (depth == kMostJsonDepth) return too_deep();
            open[++depth] = items;
        }
        return at_.done() ? std::string() : "has bytes behind its end";
    }

  private:
    std::string item(std::uint64_t& items, bool& container) {
        const auto head = at_.take<std::uint8_t>();
        const unsigned major = head >> 5, minor = head & 31;
        if (at_.failed()) return "is truncated";
        if (minor >= 28) return "has an item of unknown or open length";
        const std::uint64_t value = number(minor);
        if (at_.failed()) return "is truncated";
        switch (major) {
            case 2:
            case 3: {
                if (value > at_.left()) return "is truncated";
                const Bytes body = at_.take_bytes(static_cast<std::size_t>(value));
                if (major == 3 && !is_utf8({reinterpret_cast<const char*>(body.data()), body.size()}))
                    return "has a text that is not UTF-8";
                return {};
            }
            case 4:
            case 5:
                // Each item takes at least one byte.
                if (value > at_.left()) return "is truncated";
                items = major == 5 ? value * 2 : value;
                container = true;
                return {};
            case 6:
                return "has a tag";
            default:
                return {};
        }
    }
    std::uint64_t number(unsigned minor) {
        if (minor < 24) return minor;
        std::uint64_t value = 0;
        for (unsigned i = 0; i < 1u << (minor - 24); ++i)
            value = value << 8 | at_.take<std::uint8_t>();
        return value;
    }

    ByteCursor at_;
};

}  // namespace

std::string message_of(const std::exception& error) {
    const std::string_view whole = error.what();
    if (!whole.starts_with("[json.exception.")) return std::string(whole);
    std::string_view rest = whole.substr(std::min(whole.size(), whole.find("] ") + 2));
    if (constexpr std::string_view at = "parse error at "; rest.starts_with(at))
        rest.remove_prefix(at.size());
    return std::string(rest);
}

Result<json> parse_json(std::string_view text, JsonComments comments) {
    const bool allowed = comments == JsonComments::Allowed;
    if (std::string problem = TextScan(text, allowed).run(); !problem.empty())
        return fail(ErrorCode::BadInput, std::move(problem));
    try {
        return json::parse(text.begin(), text.end(), nullptr, true, allowed);
    } catch (const json::exception& error) {
        return fail(ErrorCode::BadInput, message_of(error));
    }
}

json parse_json_or_discard(std::string_view text) {
    if (!TextScan(text, false).run().empty()) return json(json::value_t::discarded);
    return json::parse(text.begin(), text.end(), nullptr, false);
}

Result<json> parse_cbor(std::span<const std::byte> bytes) {
    if (std::string problem = CborScan(bytes).run(); !problem.empty())
        return fail(ErrorCode::BadInput, std::move(problem));
    try {
        const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
        return json::from_cbor(first, first + bytes.size());
    } catch (const json::exception& error) {
        return fail(ErrorCode::BadInput, message_of(error));
    }
}

}  // namespace cubinlab
