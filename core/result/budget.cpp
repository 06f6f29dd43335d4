// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/budget.h"

#include <fmt/format.h>

#include <charconv>

namespace cubinlab {
namespace {

constexpr std::int64_t kLongestMs = 366ll * 24 * 3600 * 1000;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

tl::unexpected<Error> bad(std::string_view text) {
    return fail(
        ErrorCode::BadUse,
        fmt::format("'{}' is not a budget: expected for example 5000steps, 60s, 5m, 2h or 60s,5000steps",
                    text),
        "budget");
}

// "60s" -> 60 and "s". Whole numbers only.
bool split(std::string_view part, std::uint64_t& number, std::string_view& unit) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || number == 0) return false;
    unit = trimmed(part.substr(static_cast<std::size_t>(end - part.data())));
    return true;
}

std::int64_t milliseconds_of(std::string_view unit) {
    if (unit == "ms") return 1;
    if (unit == "s") return 1000;
    if (unit == "m" || unit == "min") return 60'000;
    if (unit == "h") return 3'600'000;
    return 0;
}

}  // namespace

Result<Budget> Budget::parse(std::string_view text) {
    Budget budget;
    std::string_view rest = text;
    do {
        const std::size_t comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        std::uint64_t number = 0;
        std::string_view unit;
        if (!split(part, number, unit)) return bad(text);
        if (unit == "step" || unit == "steps") {
            if (budget.steps) return bad(text);
            budget.steps = number;
        } else if (const std::int64_t scale = milliseconds_of(unit); scale != 0) {
            if (budget.time || number > static_cast<std::uint64_t>(kLongestMs / scale)) return bad(text);
            budget.time = std::chrono::milliseconds(static_cast<std::int64_t>(number) * scale);
        } else {
            return bad(text);
        }
        if (comma != std::string_view::npos && rest.empty()) return bad(text);
    } while (!rest.empty());
    return budget;
}

std::string Budget::text() const {
    std::string out;
    if (time) {
        const auto ms = time->count();
        out = ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
    }
    if (steps) out += fmt::format("{}{}steps", out.empty() ? "" : ",", *steps);
    return out;
}

}  // namespace cubinlab
