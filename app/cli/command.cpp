// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "core/search/engine/searcher.h"

namespace cubinlab::cli {

void add_session_run(CLI::App* app, std::string& session, std::int64_t& run) {
    app->add_option("SESSION", session, "session file")->required();
    app->add_option("--run", run, "run number; 0: the newest with a step")->check(whole(0, kAnyId));
}

std::string agent_names() {
    std::string out;
    for (const SearcherDescription& agent : searcher_descriptions())
        out += (out.empty() ? "" : ", ") + agent.name;
    return out;
}

Check known_agent() {
    return [](const std::string& name) -> std::string {
        std::vector<std::string> names;
        for (const SearcherDescription& agent : searcher_descriptions())
            names.push_back(agent.name);
        return name.starts_with("ppo") ? "" : one_of(names)(name);
    };
}

}  // namespace cubinlab::cli
