// SPDX-License-Identifier: GPL-3.0-or-later
// Parses an agent with its settings from one word, so that a study can compare settings:
// "auto:stalls=4+turn=200".
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace cubinlab {

struct AgentChoice {
    std::string name, settings_json;  // "auto", {"stalls":4,"turn":200}
};

// What stands behind the colon is not checked: the agent refuses what it does not know.
inline AgentChoice agent_choice(std::string_view word) {
    const std::size_t colon = word.find(':');
    AgentChoice out{std::string(word.substr(0, colon)), "{"};
    for (std::string_view rest = colon == word.npos ? "" : word.substr(colon + 1); !rest.empty();) {
        const std::string_view one = rest.substr(0, rest.find('+'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        if (out.settings_json.size() > 1) out.settings_json += ",";
        out.settings_json += "\"" + std::string(one.substr(0, equals)) +
                             "\":" + std::string(equals == one.npos ? "" : one.substr(equals + 1));
    }
    out.settings_json += "}";
    return out;
}

}  // namespace cubinlab
