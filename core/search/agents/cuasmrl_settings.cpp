// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/cuasmrl_settings.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>

#include "core/base/bounded_json.h"
#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

using nlohmann::json;

Error bad(const std::string& field, const std::string& expected) {
    return {ErrorCode::BadUse, "expected " + expected, "agent settings, " + field};
}

// A number in [low, high].
Status read_number(const json& value, const std::string& field, double low, double high, double& out) {
    if (!value.is_number() || value.get<double>() < low || value.get<double>() > high)
        return fail(bad(field, "a number from " + json(low).dump() + " to " + json(high).dump()));
    out = value.get<double>();
    return {};
}

template <class Integer>
Status read_integer(const json& value, const std::string& field, std::int64_t low, std::int64_t high,
                    Integer& out) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
        return fail(bad(field, "a whole number from " + std::to_string(low) + " to " + std::to_string(high)));
    out = static_cast<Integer>(value.get<std::int64_t>());
    return {};
}

Status read_network(const json& value, NetworkKind& out) {
    if (value == "compact") {
        out = NetworkKind::Compact;
    } else if (value == "paper") {
        out = NetworkKind::Paper;
    } else {
        return fail(bad("network", "\"compact\" or \"paper\""));
    }
    return {};
}

using Reader = std::function<Status(const json&, const std::string&, PpoSettings&)>;

Reader number(double PpoSettings::*member, double low, double high) {
    return [=](const json& v, const std::string& f, PpoSettings& s) {
        return read_number(v, f, low, high, s.*member);
    };
}

template <class Integer>
Reader integer(Integer PpoSettings::*member, std::int64_t low, std::int64_t high) {
    return [=](const json& v, const std::string& f, PpoSettings& s) {
        return read_integer(v, f, low, high, s.*member);
    };
}

const std::map<std::string, Reader>& readers() {
    static const std::map<std::string, Reader> table = {
        {"network",
         [](const json& v, const std::string&, PpoSettings& s) { return read_network(v, s.network); }},
        {"learning_rate", number(&PpoSettings::learning_rate, 0, 1)},
        {"total_steps", integer(&PpoSettings::total_steps, 1, 1000000000)},
        {"rollout", integer(&PpoSettings::rollout, 2, 4096)},
        {"horizon", integer(&PpoSettings::horizon, 1, 100000)},
        {"minibatch", integer(&PpoSettings::minibatch, 2, 4096)},
        {"epochs", integer(&PpoSettings::epochs, 1, 100)},
        {"gamma", number(&PpoSettings::gamma, 0, 1)},
        {"gae_lambda", number(&PpoSettings::gae_lambda, 0, 1)},
        {"clip", number(&PpoSettings::clip, 0.001, 10)},
        {"entropy", number(&PpoSettings::entropy, 0, 10)},
        {"value", number(&PpoSettings::value, 0, 100)},
        {"max_grad_norm", number(&PpoSettings::max_grad_norm, 1e-6, 1e6)},
        {"failure_reward", number(&PpoSettings::failure_reward, -1000, 0)},
    };
    return table;
}

}  // namespace

const char* to_string(NetworkKind kind) {
    return enum_name<NetworkKind::Paper>({"compact", "pointer", "paper"}, kind, "?");
}

Result<PpoSettings> PpoSettings::parse(std::string_view text) {
    PpoSettings settings;
    const nlohmann::json document = parse_json_or_discard(text);
    if (!document.is_object()) return fail(ErrorCode::BadUse, "expected a JSON object", "agent settings");
    for (const auto& [field, value] : document.items()) {
        const auto reader = readers().find(field);
        if (reader == readers().end()) {
            std::string known;
            for (const auto& entry : readers())
                known += (known.empty() ? "" : ", ") + entry.first;
            return fail(ErrorCode::BadUse, "unknown; known are " + known, "agent settings, " + field);
        }
        TRY(reader->second(value, field, settings));
    }
    if (settings.minibatch > settings.rollout) return fail(bad("minibatch", "at most `rollout`"));
    return settings;
}

std::string PpoSettings::json() const {
    const nlohmann::json document = {{"network", to_string(network)},
                                     {"learning_rate", learning_rate},
                                     {"total_steps", total_steps},
                                     {"rollout", rollout},
                                     {"horizon", horizon},
                                     {"minibatch", minibatch},
                                     {"epochs", epochs},
                                     {"gamma", gamma},
                                     {"gae_lambda", gae_lambda},
                                     {"clip", clip},
                                     {"entropy", entropy},
                                     {"value", value},
                                     {"max_grad_norm", max_grad_norm},
                                     {"failure_reward", failure_reward}};
    return document.dump();
}

}  // namespace cubinlab
