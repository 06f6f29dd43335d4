// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/search/starts/order_learner.h"

namespace cubinlab {
namespace {

constexpr double kLargestWeight = 1e4;

Result<OrderWeights> weights_from(const nlohmann::json& list) {
    const auto bad = [] {
        return fail(ErrorCode::BadUse,
                    fmt::format("'{}' must be {} numbers, as `cubinlab-lab train-orders` writes them", kConstructWeights, kOrderWeights),
                    "agent settings");
    };
    if (!list.is_array() || list.size() != kOrderWeights) return bad();
    OrderWeights out;
    for (const nlohmann::json& one : list) {
        if (!one.is_number() || std::abs(one.get<double>()) > kLargestWeight) return bad();
        out.push_back(one.get<float>());
    }
    return out;
}

nlohmann::json parsed(std::string_view settings) {
    return parse_json_or_discard(settings.empty() ? std::string_view("{}") : settings);
}

}  // namespace

Result<ConstructSettings> construct_settings(std::string_view agent_settings) {
    ConstructSettings out;
    const nlohmann::json document = parsed(agent_settings);
    out.on = json_or(document, "construct", 0.0) != 0;
    out.rate = json_or(document, "construct_rate", out.rate);
    out.evolution = json_or(document, "construct_evolution", 0.0) != 0;
    out.share = json_or(document, "construct_share", out.share);
    if (document.is_object() && document.contains(kConstructWeights)) out.weights = TRY(weights_from(document[kConstructWeights]));
    return out;
}

std::string without_weights(std::string_view agent_settings) {
    nlohmann::json document = parsed(agent_settings);
    if (!document.is_object() || !document.contains(kConstructWeights)) return std::string(agent_settings);
    document.erase(kConstructWeights);
    return document.dump();
}

std::string settings_with(const OrderWeights& weights) {
    nlohmann::json list = nlohmann::json::array();
    for (const float weight : weights)
        list.push_back(std::round(static_cast<double>(weight) * 1e5) / 1e5);
    return nlohmann::json{{"construct", 1}, {kConstructWeights, std::move(list)}}.dump();
}

}  // namespace cubinlab
