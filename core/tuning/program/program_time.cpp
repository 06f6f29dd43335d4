// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/program_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/bounded_json.h"
#include "core/base/number_of.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

using nlohmann::json;

constexpr double kAlpha = 0.05;

std::vector<double> numbers(const json& object, const char* key) {
    std::vector<double> out;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return out;
    for (const json& value : *found)
        if (value.is_number()) out.push_back(value.get<double>());
    return out;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value / static_cast<double>(values.size());
    return sum;
}

}  // namespace

std::optional<ProgramTime> time_of_program(const PreloadedRun& run) {
    ProgramTime out;
    std::vector<double> original, tuned;
    std::vector<float> ratios;
    for (const json& process : run.processes) {
        const auto all = process.find("program");
        if (all == process.end() || !all->is_object()) continue;
        const std::vector<double> o = numbers(*all, "original_us"), t = numbers(*all, "tuned_us");
        for (std::size_t i = 0; i < std::min(o.size(), t.size()); ++i) {
            if (!(o[i] > 0) || !(t[i] > 0)) continue;
            original.push_back(o[i]);
            tuned.push_back(t[i]);
            ratios.push_back(static_cast<float>(std::log(o[i] / t[i])));
        }
        out.counted += json_or(*all, "counted", std::uint64_t{0});
        out.timed += json_or(*all, "timed", std::uint64_t{0});
        if (!o.empty()) out.empty_us = json_or(*all, "empty_us", 0.0);
    }
    out.pairs = ratios.size();
    if (out.pairs < kLeastStretchPairs) return std::nullopt;
    const Estimate e = estimate(ratios, 0);
    const double radius = t_mixture_radius(out.pairs, e.deviation, kAlpha);
    if (!std::isfinite(radius)) return std::nullopt;
    out.speedup = {e.mean, e.mean - radius, e.mean + radius};
    out.original_us = mean(original);
    out.tuned_us = mean(tuned);
    return out;
}

std::string missing_time_of_program(const PreloadedRun& run) {
    constexpr std::uint64_t kBefore = 128,
                            kPair = 3 * 256;  // launches before the first stretch, and of a pair, usually
    std::uint64_t launches = 0;
    std::size_t pairs = 0;
    for (const json& process : run.processes) {
        const auto all = process.find("program");
        if (all == process.end() || !all->is_object()) continue;
        launches += json_or(*all, "launches", std::uint64_t{0});
        pairs += std::min(numbers(*all, "original_us").size(), numbers(*all, "tuned_us").size());
    }
    if (launches == 0) return "no launch outside of graphs was seen";
    const std::uint64_t each = pairs > 0 ? launches / pairs : kPair;
    std::uint64_t more = each * (kLeastStretchPairs - std::min(pairs, kLeastStretchPairs - 1));
    if (pairs == 0 && launches < kBefore) more += kBefore - launches;
    return fmt::format(
        "{} of {} pairs of stretches after {} launches outside of graphs; about {} more launches are needed",
        pairs, kLeastStretchPairs, with_thousands(launches), with_thousands(more));
}

nlohmann::ordered_json to_json(const ProgramTime& time) {
    return {{"log_speedup", time.speedup.log},
            {"log_speedup_interval", {time.speedup.low, time.speedup.high}},
            {"pairs", time.pairs},
            {"original_us", time.original_us},
            {"tuned_us", time.tuned_us},
            {"counted", time.counted},
            {"timed", time.timed},
            {"empty_us", time.empty_us}};
}

std::optional<ProgramTime> program_time_in(const json& document) {
    if (!document.is_object()) return std::nullopt;
    const std::vector<double> interval = numbers(document, "log_speedup_interval");
    if (interval.size() != 2) return std::nullopt;
    ProgramTime out;
    out.speedup = {json_or(document, "log_speedup", 0.0), interval[0], interval[1]};
    out.pairs = json_or(document, "pairs", std::size_t{0});
    out.original_us = json_or(document, "original_us", 0.0);
    out.tuned_us = json_or(document, "tuned_us", 0.0);
    out.counted = json_or(document, "counted", std::uint64_t{0});
    out.timed = json_or(document, "timed", std::uint64_t{0});
    out.empty_us = json_or(document, "empty_us", 0.0);
    return out;
}

std::string text_of(const ProgramTime& time) {
    return fmt::format("{} over {} pairs of stretches, {:.1f} us, original {:.1f} us", percent_text(time.speedup),
                       time.pairs, time.tuned_us, time.original_us);
}

std::optional<Speedup> speedup_in_program(const PreloadedRun& run, const std::string& kernel) {
    std::vector<float> ratios;
    for (const json& process : run.processes) {
        const auto list = process.find("list");
        if (list == process.end() || !list->is_array()) continue;
        for (const json& one : *list)
            if (json_or(one, "name", std::string()) == kernel)
                for (const double ratio : numbers(one, "log_ratios"))
                    ratios.push_back(static_cast<float>(ratio));
    }
    if (ratios.size() < 2) return std::nullopt;
    const Estimate e = estimate(ratios, 0);
    const double half = 1.96 * e.deviation / std::sqrt(static_cast<double>(ratios.size()));
    return Speedup{e.mean, e.mean - half, e.mean + half};
}

}  // namespace cubinlab
