// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/race_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/number_of.h"
#include "core/search/moves/environment.h"
#include "core/search/starts/order_learner.h"

namespace cubinlab {
namespace {

constexpr const char *kName = "schedules", *kNameBefore = "starts";  // that of version 0.1, in its logs

Status wrong(const std::string& what) {
    return fail(ErrorCode::BadUse, what, "agent settings");
}

}  // namespace

Status may_race(const SearchContext& context, const Schedule& schedule) {
    const EditScope scope(context);
    for (const Edit& edit : difference(context.start, schedule).edits) {
        const bool free = is_move(edit.kind) ? scope.movable(edit.instr) : scope.editable(edit.instr);
        if (!free)
            return fail(ErrorCode::Refused,
                        fmt::format("it changes {:#06x}, which this run has to leave alone",
                                    edit.instr * kWordBytes));
    }
    const Legality found = context.checker->check(schedule);
    if (found.empty()) return {};
    return fail(ErrorCode::Refused, "it is not legal: " + found.front().explanation);
}

Result<std::string> with_schedules(std::string_view settings_json, const Schedule& start,
                                   const std::vector<Schedule>& schedules) {
    if (schedules.empty()) return std::string(settings_json);
    auto document = parse_json_or_discard(settings_json.empty() ? std::string_view("{}") : settings_json);
    if (!document.is_object())
        return fail(ErrorCode::BadUse,
                    "agent settings must be one JSON object, for example {\"turn\": 200}",
                    "agent settings");
    nlohmann::json list = nlohmann::json::array();
    for (const Schedule& schedule : schedules)
        list.push_back(difference(start, schedule).encode());
    document[kName] = std::move(list);
    return document.dump();
}

Status take_schedules(SearchContext& context, bool takes_any) {
    context.schedules.clear();
    auto document =
        parse_json_or_discard(context.settings_json.empty() ? std::string("{}") : context.settings_json);
    if (!document.is_object()) return {};
    const char* const name = document.contains(kName) ? kName : kNameBefore;
    if (!document.contains(name)) return {};
    if (!takes_any)
        return fail(ErrorCode::BadUse, "this agent begins from one schedule; only auto races several",
                    "agent settings");
    const nlohmann::json list = document[name];
    if (!list.is_array() || list.size() > kMostSchedules)
        return wrong(fmt::format("'{}' must be an array of up to {} mutations", kName, kMostSchedules));
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].is_string()) return wrong(fmt::format("'{}' contains values that are not strings", kName));
        auto mutation = Mutation::decode(list[i].get_ref<const std::string&>());
        if (!mutation) return wrong(fmt::format("schedule {}: {}", i + 1, mutation.error().message()));
        auto schedule = mutation->applied(context.start);
        if (!schedule) return wrong(fmt::format("schedule {}: {}", i + 1, schedule.error().message()));
        if (auto may = may_race(context, *schedule); !may)
            return wrong(fmt::format("schedule {}: {}", i + 1, may.error().message()));
        if (*schedule != context.start &&
            std::ranges::find(context.schedules, *schedule) == context.schedules.end())
            context.schedules.push_back(std::move(*schedule));
    }
    document.erase(name);
    context.settings_json = document.dump();
    return {};
}

std::string settings_in_short(std::string_view settings_json) {
    auto document = parse_json_or_discard(settings_json);
    bool changed = false;
    for (const auto& [name, one] : {std::pair(kName, "schedule"), std::pair(kConstructWeights, "weight")}) {
        if (!document.is_object() || !document.contains(name) || !document[name].is_array()) continue;
        document[name] = number_of(document[name].size(), one);
        changed = true;
    }
    return changed ? document.dump() : std::string(settings_json);
}

}  // namespace cubinlab
