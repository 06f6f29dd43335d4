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

const std::vector<SettingRange>& edit_ppo_settings() {
    static const std::vector<SettingRange> known = {
        {"walkers", 8, 1, 256},
        {"learning_rate", 1e-3, 0, 1},
        {"total_steps", 20000, 1, 1e9},
        {"rollout", 64, 2, 4096},
        {"horizon", 128, 1, 100000},
        {"minibatch", 64, 2, 4096},
        {"epochs", 2, 1, 100},
        {"gamma", 0, 0, 1},
        {"gae_lambda", 0.9, 0, 1},
        {"clip", 0.2, 0.001, 10},
        {"entropy", 0.05, 0, 10},
        {"value", 0.5, 0, 100},
        {"max_grad_norm", 0.5, 1e-6, 1e6},
        {"loss_floor", 0, 0, 1000},
        {"failure_reward", -1, -1000, 0},
    };
    return known;
}

}  // namespace cubinlab
