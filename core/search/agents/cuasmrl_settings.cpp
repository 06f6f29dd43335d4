// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/cuasmrl_settings.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

#include "core/base/bounded_json.h"
#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

// Calls `visit` with name, member and range of each number.
template <class Ppo, class Visit>
void each_number(Ppo& s, Visit visit) {
    visit("learning_rate", s.learning_rate, 0.0, 1.0);
    visit("total_steps", s.total_steps, 1.0, 1e9);
    visit("rollout", s.rollout, 2.0, 4096.0);
    visit("horizon", s.horizon, 1.0, 100000.0);
    visit("minibatch", s.minibatch, 2.0, 4096.0);
    visit("epochs", s.epochs, 1.0, 100.0);
    visit("gamma", s.gamma, 0.0, 1.0);
    visit("gae_lambda", s.gae_lambda, 0.0, 1.0);
    visit("clip", s.clip, 0.001, 10.0);
    visit("entropy", s.entropy, 0.0, 10.0);
    visit("value", s.value, 0.0, 100.0);
    visit("max_grad_norm", s.max_grad_norm, 1e-6, 1e6);
    visit("failure_reward", s.failure_reward, -1000.0, 0.0);
}

Error bad(const std::string& field, const std::string& expected) {
    return {ErrorCode::BadUse, "expected " + expected, "agent settings, " + field};
}

}  // namespace

const char* to_string(NetworkKind kind) {
    return enum_name<NetworkKind::Paper>({"compact", "paper"}, kind, "?");
}

PpoSettings PpoSettings::from(const Settings& numbers, NetworkKind network) {
    PpoSettings out;
    out.network = network;
    each_number(out, [&](const char* name, auto& member, double, double) {
        member = static_cast<std::remove_cvref_t<decltype(member)>>(numbers.find(name)->second);
    });
    return out;
}

Result<PpoSettings> PpoSettings::parse(std::string_view text) {
    nlohmann::json document = parse_json_or_discard(text);
    if (!document.is_object()) return fail(ErrorCode::BadUse, "expected a JSON object", "agent settings");
    NetworkKind network = NetworkKind::Compact;
    if (const auto found = document.find("network"); found != document.end()) {
        if (*found != "compact" && *found != "paper") return fail(bad("network", "\"compact\" or \"paper\""));
        if (*found == "paper") network = NetworkKind::Paper;
        document.erase(found);
    }
    std::vector<SettingRange> known;
    const PpoSettings defaults;
    each_number(defaults, [&](const char* name, const auto& member, double low, double high) {
        known.push_back({name, static_cast<double>(member), low, high});
    });
    const Settings numbers = TRY(read_settings(document.dump(), known));
    const PpoSettings out = from(numbers, network);
    std::string not_whole;
    each_number(out, [&](const char* name, const auto& member, double, double) {
        if (static_cast<double>(member) != numbers.find(name)->second) not_whole = name;
    });
    if (!not_whole.empty()) return fail(bad(not_whole, "a whole number"));
    if (out.minibatch > out.rollout) return fail(bad("minibatch", "at most `rollout`"));
    return out;
}

std::string PpoSettings::json() const {
    nlohmann::json document = {{"network", to_string(network)}};
    each_number(*this,
                [&](const char* name, const auto& member, double, double) { document[name] = member; });
    return document.dump();
}

}  // namespace cubinlab
