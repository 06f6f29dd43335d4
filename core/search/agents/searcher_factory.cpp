// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include <fmt/format.h>

#include "core/search/agents/agent_loader.h"
#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/cuasmrl_settings.h"
#include "core/search/agents/race_schedules.h"
#include "core/search/agents/searcher_settings.h"
#include "core/search/starts/order_learner.h"

namespace cubinlab {

#define X(name) extern const BuiltInSearcher built_in_##name;
CUBINLAB_BUILT_IN_SEARCHERS
#undef X

namespace {

#define X(name) &built_in_##name,
constexpr std::array kBuiltIn = {CUBINLAB_BUILT_IN_SEARCHERS};
#undef X

std::string names() {
    std::string out;
    for (const SearcherDescription& description : searcher_descriptions())
        out += (out.empty() ? "" : ", ") + description.name;
    return out;
}

Status check_context(const SearchContext& context) {
    if (!context.kernel || !context.checker)
        return fail(ErrorCode::BadUse, "a search needs a kernel and its checker");
    if (context.checker->kernel() != context.kernel || context.start.kernel() != context.kernel)
        return fail(ErrorCode::BadUse,
                    "checker and start schedule must belong to the searched kernel");
    for (const InstrId id : context.locked)
        if (id >= context.kernel->size())
            return fail(ErrorCode::BadUse, fmt::format("locked instruction {} does not exist", id));
    for (const BlockId block : context.scope)
        if (block >= context.kernel->flow().blocks.size())
            return fail(ErrorCode::BadUse, fmt::format("block {} of the scope does not exist", block));
    return {};
}

}  // namespace

std::vector<SearcherDescription> searcher_descriptions() {
    std::vector<SearcherDescription> out;
    for (const BuiltInSearcher* method : kBuiltIn)
        out.push_back({method->name, method->title, method->about, false, defaults_json(method->settings()),
                       method->takes_schedules});
    out.push_back(
        {"ppo-cuasmrl", "PPO as in CuAsmRL (an experiment)",
         "The paper's agent: a CNN over the listing that swaps memory operations with their neighbours.",
         true, PpoSettings{}.json()});
    return out;
}

Result<std::unique_ptr<Searcher>> make_searcher(std::string_view name, SearchContext context) {
    TRY(check_context(context));
    for (const BuiltInSearcher* method : kBuiltIn) {
        if (name != method->name) continue;
        TRY(take_schedules(context, method->takes_schedules));
        if (method->takes_schedules) context.settings_json = without_weights(context.settings_json);
        auto settings = TRY(read_settings(context.settings_json, method->settings()));
        return method->make(context, settings);
    }
    // The module knows or refuses every other ppo name.
    if (name.substr(0, 3) == "ppo") return make_agent_searcher(name, context);
    return fail(ErrorCode::BadUse, fmt::format("there is no agent '{}'; there are: {}", name, names()),
                "agent");
}

}  // namespace cubinlab
