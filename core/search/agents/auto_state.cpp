// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/auto_state.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {
namespace {

struct MethodWords {
    const char* name;
    const char* seeks;
    const char* brought;  // of its metric
};
constexpr std::array<MethodWords, AutoState::kMethods> kWords = {
    {{"group tests", "edits that gain together", "brought_group"},
     {"hill climbing", "one edit at a time", "brought_climb"},
     {"list schedules", "other orders of whole blocks", "brought_list"},
     {"greedy", "confirmed gains only", "brought_greedy"}}};
constexpr const char *kGiven = "brought_given", *kHinted = "brought_hints";  // logged only if positive
constexpr double kMostCounted = 1e15;
constexpr double kMostLineages = 64;

std::string percent(double log_speedup) {
    return percent_text(log_speedup, 1);
}

}  // namespace

std::vector<SearchMetric> AutoState::metrics() const {
    std::vector<SearchMetric> out = {{"phase", static_cast<double>(starts)},
                                     {"method", static_cast<double>(method)},
                                     {"race", static_cast<double>(race)},
                                     {"estimate", best},
                                     {"from", from},
                                     {"since_better", static_cast<double>(since_better)}};
    for (std::size_t m = 0; m < kMethods; ++m)
        out.push_back({kWords[m].brought, brought[m]});
    if (given > 0) out.push_back({kGiven, given});
    if (hinted > 0) out.push_back({kHinted, hinted});
    return out;
}

std::optional<AutoState> AutoState::from_metrics(
    std::span<const std::pair<std::string_view, double>> metrics) {
    bool whole = true;
    const auto figure = [&](std::string_view name, double least, double most) {
        const auto found = std::find_if(metrics.begin(), metrics.end(),
                                        [&](const auto& metric) { return metric.first == name; });
        const bool good = found != metrics.end() && found->second >= least && found->second <= most;
        whole = whole && good;
        return good ? found->second : 0.0;
    };
    AutoState out;
    out.starts = static_cast<std::size_t>(figure("phase", 1, kMostLineages));
    out.method = static_cast<std::size_t>(figure("method", 0, Own));
    out.race = static_cast<int>(figure("race", 1, 1 << 30));
    out.best = figure("estimate", -10, 10);
    out.from = figure("from", -10, 10);
    out.since_better = static_cast<std::uint64_t>(figure("since_better", 0, kMostCounted));
    for (std::size_t m = 0; m < kMethods; ++m)
        out.brought[m] = figure(kWords[m].brought, -10, 10);
    const auto logged = [&](std::string_view name) {
        return std::ranges::find(metrics, name, &std::pair<std::string_view, double>::first) != metrics.end();
    };
    if (logged(kGiven)) out.given = figure(kGiven, -10, 10);
    if (logged(kHinted)) out.hinted = figure(kHinted, -10, 10);
    return whole ? std::optional(out) : std::nullopt;
}

std::string AutoState::text() const {
    const MethodWords& words = kWords[std::min(method, kMethods - 1)];
    std::string out;
    if (method == Own)
        out = fmt::format("independent hill climbing from {}: clear gains only", percent(from));
    else if (method == Greedy)
        out = fmt::format("greedy from the confirmed {}: {}", percent(from), words.seeks);
    else if (starts > 1)
        out = fmt::format("race {}: {} lineages left, now {} at {}: {}", race, starts, words.name,
                          percent(from), words.seeks);
    else
        out = fmt::format("race {} done, {} from {}: {}", race, words.name, percent(from), words.seeks);
    out += fmt::format("; best estimate {}", percent(best));
    if (since_better > 0) out += fmt::format(", no gain for {} measurements", since_better);
    if (race > 1)
        out += fmt::format(", restarted {}", race == 2 ? "once" : fmt::format("{} times", race - 1));
    std::string by = given > 0 ? "given schedules " + percent(given) : "";
    if (hinted > 0) by += (by.empty() ? "" : ", ") + ("cache hints " + percent(hinted));
    for (std::size_t m = 0; m < kMethods; ++m)
        if (brought[m] > 0)
            by += fmt::format("{}{} {}", by.empty() ? "" : ", ", kWords[m].name, percent(brought[m]));
    return by.empty() ? out : out + ", gains by " + by;
}

}  // namespace cubinlab
