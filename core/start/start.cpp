// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/parse_number.h"

namespace cubinlab {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMostUnits = std::size_t{1} << 22;
constexpr std::size_t kMostOptions = 64, kMostOption = 10000;  // characters

Json json_of(const Hash128& value) {
    return value.hex();
}
Json json_of(const OrderKeys& value) {
    return keys_text(value);
}
template <class T>
Json json_of(const T& value) {
    return value;
}

bool take(const Json& json, Hash128& to) {
    const auto hash = json.is_string() ? Hash128::from_hex(json.get<std::string>()) : std::nullopt;
    if (hash) to = *hash;
    return hash.has_value();
}
bool take(const Json& json, std::string& to) {
    if (!json.is_string()) return false;
    to = json.get<std::string>();
    return to.size() <= kMostOption;
}
bool take(const Json& json, bool& to) {
    if (!json.is_boolean()) return false;
    to = json.get<bool>();
    return true;
}
bool take(const Json& json, std::vector<std::string>& to) {
    if (!json.is_array() || json.size() > kMostOptions) return false;
    to.resize(json.size());
    return std::equal(json.begin(), json.end(), to.begin(),
                      [](const Json& from, std::string& text) { return take(from, text); });
}
bool take(const Json& json, OrderKeys& to) {
    auto keys = json.is_string() ? parse_keys(json.get<std::string>()) : fail(ErrorCode::BadInput, "");
    if (keys) to = std::move(*keys);
    return keys.has_value();
}

// Steele, Lea, Flood: SplitMix64.
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

}  // namespace

std::string how_made(const Start& start) {
    std::string out = fmt::format("{}", fmt::join(start.options, " "));
    const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
    if (start.other_name) add("other name");
    const auto moved = std::ranges::count_if(start.keys, [](std::int16_t key) { return key != 0; });
    if (moved != 0) add(fmt::format("{} units with a key of their own", moved));
    return out.empty() ? "as it is" : out;
}

nlohmann::json to_json(const Start& start) {
    Json out = Json::object();
    visit_fields(start, [&](const char* name, const auto& member) { out[name] = json_of(member); });
    if (start.decisions.empty()) out.erase("decisions");
    return out;
}

Result<Start> start_from_json(const nlohmann::json& json) {
    Start out;
    const char* bad = nullptr;
    visit_fields(out, [&](const char* name, auto& member) {
        const auto found = json.is_object() ? json.find(name) : json.end();
        const bool may_lack = static_cast<const void*>(&member) == &out.decisions;
        if (found == json.end() && may_lack && json.is_object()) return;
        if (!bad && (found == json.end() || !take(*found, member))) bad = name;
    });
    if (bad) return fail(ErrorCode::BadInput, "is missing or not of the expected form", bad);
    return out;
}

std::string keys_text(std::span<const std::int16_t> keys) {
    std::string out;
    const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ",") + part; };
    for (std::size_t i = 0, zeros = 0; i < keys.size(); ++i) {
        if (keys[i] == 0) {
            ++zeros;
            continue;
        }
        if (zeros != 0) add(fmt::format("*{}", zeros));
        zeros = 0;
        add(fmt::format("{}", keys[i]));
    }
    return out;
}

Result<OrderKeys> parse_keys(std::string_view text) {
    OrderKeys out;
    const auto bad = [&](std::string_view part) {
        return fail(ErrorCode::BadInput,
                    fmt::format("'{}' is neither a key nor a number of zeros", part.substr(0, 40)), "keys");
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view part = text.substr(at, end - at);
        at = end + 1;
        if (part.starts_with('*')) {
            const auto zeros = parse_number<std::uint32_t>(part.substr(1));
            if (!zeros || *zeros == 0 || *zeros > kMostUnits - out.size()) return bad(part);
            out.resize(out.size() + *zeros);
        } else {
            const auto key = parse_number<std::int16_t>(part);
            if (!key || out.size() >= kMostUnits) return bad(part);
            out.push_back(*key);
        }
    }
    return out;
}

Result<std::vector<double>> keys_for(std::span<const std::int16_t> keys, std::size_t units) {
    if (keys.size() > units)
        return fail(ErrorCode::BadUse,
                    fmt::format("are {}, and the kernel has {} units that can move", keys.size(), units),
                    "keys");
    std::vector<double> out(units);
    for (std::size_t i = 0; i < units; ++i)
        out[i] = static_cast<double>(i) + (i < keys.size() ? keys[i] : 0);
    return out;
}

OrderKeys random_keys(std::uint64_t seed, std::size_t units, double spread) {
    constexpr double kMost = std::numeric_limits<std::int16_t>::max();
    // The sum of twelve numbers of [0, 1) has variance 1 and needs no function whose last bit differs by library.
    constexpr int kParts = 12;
    constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
    OrderKeys out(units);
    for (std::int16_t& key : out) {
        double sum = -kParts / 2.0;
        for (int i = 0; i < kParts; ++i)
            sum += static_cast<double>(next_random(seed) >> 11) * kUnit;
        key = static_cast<std::int16_t>(std::lround(std::clamp(sum * spread, -kMost, kMost)));
    }
    return out;
}

}  // namespace cubinlab
