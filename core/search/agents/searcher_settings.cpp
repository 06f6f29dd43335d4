// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/searcher_settings.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

std::string names_of(const std::vector<SettingRange>& known) {
    std::string out;
    for (const SettingRange& setting : known)
        out += fmt::format("{}{}", out.empty() ? "" : ", ", setting.name);
    return out.empty() ? "none" : out;
}

}  // namespace

Result<Settings> read_settings(std::string_view json, const std::vector<SettingRange>& known) {
    Settings settings;
    for (const SettingRange& setting : known)
        settings.emplace(setting.name, setting.value);
    const auto document = parse_json_or_discard(json.empty() ? std::string_view("{}") : json);
    if (!document.is_object())
        return fail(ErrorCode::BadUse,
                    "agent settings must be one JSON object, for example {\"edits\": 2}",
                    "agent settings");
    for (const auto& [name, value] : document.items()) {
        const auto found = std::ranges::find(known, name, &SettingRange::name);
        if (found == known.end())
            return fail(ErrorCode::BadUse,
                        fmt::format("'{}' is not a setting of this agent; it has: {}", name, names_of(known)),
                        "agent settings");
        if (!value.is_number() || value.get<double>() < found->low || value.get<double>() > found->high)
            return fail(ErrorCode::BadUse,
                        fmt::format("'{}' must be a number from {} to {}", name, found->low, found->high),
                        "agent settings");
        settings[name] = value.get<double>();
    }
    return settings;
}

std::string defaults_json(const std::vector<SettingRange>& known) {
    nlohmann::json document = nlohmann::json::object();
    for (const SettingRange& setting : known)
        document[std::string(setting.name)] = setting.value;
    return document.dump();
}

}  // namespace cubinlab
