// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/learned_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "core/base/bounded_json.h"
#include "core/base/number_of.h"
#include "core/search/engine/default_agent.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostExamples = 3, kMostPreferences = 8, kMostDecisions = 4;
constexpr std::size_t kMeanOf = 4;  // updates
constexpr std::size_t kStepsAtOnce = 256;
constexpr double kNothing = 0.005;  // a smaller preference is no preference

// Preferences from the curves prefers_FEATURE.
void read_preferences(const std::vector<MetricPoint>& points, LearnedOrders& out) {
    for (std::size_t k = 0; k < kFeatures; ++k) {
        const std::string name = fmt::format("prefers_{}", kOrderFeatures[k].name);
        std::vector<double> values;
        for (const MetricPoint& point : points)
            if (point.name == name) values.push_back(point.value);
        if (values.empty()) continue;
        out.updates = values.size();
        const std::size_t n = std::min(kMeanOf, values.size());
        LearnedOrders::Preference preference{k, 0, 0};
        for (std::size_t i = 0; i < n; ++i) {
            preference.first += values[i] / static_cast<double>(n);
            preference.last += values[values.size() - 1 - i] / static_cast<double>(n);
        }
        out.preferences.push_back(preference);
    }
    std::ranges::stable_sort(out.preferences, std::greater(),
                             [](const LearnedOrders::Preference& p) { return std::abs(p.last); });
}

Status read_examples(SessionReader& session, const KernelPtr& original, LearnedOrders& out) {
    std::unordered_map<StepId, double> figures;
    for (StepId last = 0;;) {
        const auto steps = TRY(session.steps(out.run, last, kStepsAtOnce));
        std::vector<std::string> names;
        for (const StepRecord& record : steps)
            names.push_back(record.mutation.start);
        const auto stored = TRY(session.starts(original, out.run, names));
        std::unordered_map<std::string, std::vector<OrderDecision>> decisions;
        for (const StoredStart& one : stored) {
            const std::string_view recipe(reinterpret_cast<const char*>(one.recipe.data()), one.recipe.size());
            const auto start = TRY(start_from_json(parse_json_or_discard(recipe)));
            if (!start.decisions.empty()) decisions.emplace(one.name, TRY(decisions_from(start.decisions)));
        }
        for (const StepRecord& record : steps) {
            last = record.step;
            if (!record.outcome.ok() || record.repeated) continue;
            const double figure = record.outcome.speedup.log;
            figures.emplace(record.step, figure);
            const auto found = decisions.find(record.mutation.start);
            if (found == decisions.end()) continue;
            ++out.orders;
            const auto parent = figures.find(record.parent);
            const double over = figure - (parent == figures.end() ? 0 : parent->second);
            if (over <= 0 || figure <= 0) continue;
            out.examples.push_back({record.step, figure, over, std::move(found->second)});
            decisions.erase(found);
        }
        std::ranges::stable_sort(out.examples, std::greater(), &LearnedOrders::Example::log_speedup);
        if (out.examples.size() > kMostExamples) out.examples.resize(kMostExamples);
        if (steps.size() < kStepsAtOnce) return {};
    }
}

// The instructions of the units; empty where the text does not have them.
std::vector<std::string> unit_lines(const std::optional<PtxSource>& ptx, const std::string& kernel) {
    std::vector<std::string> out;
    if (!ptx) return out;
    const auto module = ptx::parse(ptx->text);
    if (!module) return out;
    const auto order = ptx::order_of(*module, kernel);
    if (!order) return out;
    for (const ptx::Unit& unit : order->units) {
        std::string_view text = std::string_view(module->text).substr(unit.begin, unit.end - unit.begin);
        while (text.starts_with("//") || text.starts_with('\n') || text.starts_with('\t') || text.starts_with(' ') ||
               text.starts_with(".loc"))
            text.remove_prefix(text[0] == '/' || text[0] == '.' ? std::min(text.find('\n'), text.size()) : 1);
        out.emplace_back(text.substr(0, std::min(text.find_first_of(";\n"), std::size_t{60})));
        std::ranges::replace(out.back(), '\t', ' ');
    }
    return out;
}

std::string percent(double log_speedup) {
    return fmt::format("{:+.1f} %", 100 * std::expm1(log_speedup));
}

}  // namespace

Result<std::optional<LearnedOrders>> learned_orders(SessionReader& session, const KernelPtr& original) {
    const auto runs = TRY(session.runs());
    LearnedOrders out;
    for (const RunInfo& run : runs)
        if (run.agent == kStartsAgent) out.run = run.id;
    if (out.run == 0) return std::optional<LearnedOrders>();
    const auto points = TRY(session.metrics(out.run));
    read_preferences(points, out);
    TRY(read_examples(session, original, out));
    if (out.orders == 0) return std::optional<LearnedOrders>();
    return out;
}

std::vector<std::string> text_of(const LearnedOrders& learned, const std::optional<PtxSource>& ptx,
                                 const std::string& kernel) {
    std::vector<std::string> out;
    const auto lines = unit_lines(ptx, kernel);
    const auto unit = [&](std::uint32_t u) {
        return u < lines.size() ? fmt::format("unit {} ({})", u, lines[u]) : fmt::format("unit {}", u);
    };
    out.push_back(fmt::format("{} of a policy were judged in run {}; its weights moved {}", number_of(learned.orders, "order"),
                              learned.run, number_of(learned.updates, "time")));
    std::size_t said = 0;
    for (const LearnedOrders::Preference& p : learned.preferences) {
        if (std::abs(p.last) < kNothing || said == kMostPreferences) break;
        out.push_back(fmt::format("it {} units that {}: {:+.3f} against the untrained policy ({:+.3f} at first)",
                                  p.last > 0 ? "prefers" : "puts off", kOrderFeatures[p.feature].about, p.last, p.first));
        ++said;
    }
    if (said == 0) out.emplace_back("it prefers nothing that the untrained policy does not");
    for (const LearnedOrders::Example& e : learned.examples) {
        out.push_back(fmt::format("step {}: {} against the original, {} over the order that it was built around", e.step,
                                  percent(e.log_speedup), percent(e.over_parent)));
        for (std::size_t i = 0; i < std::min(kMostDecisions, e.decisions.size()); ++i) {
            const OrderDecision& d = e.decisions[i];
            out.push_back(fmt::format("  {} before {}: {} {:+.2f}, {} {:+.2f}", unit(d.unit), unit(d.instead),
                                      kOrderFeatures[d.parts[0].feature].name, d.parts[0].share,
                                      kOrderFeatures[d.parts[1].feature].name, d.parts[1].share));
        }
    }
    return out;
}

}  // namespace cubinlab
