// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/assumed_passes.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostKept = 16, kMostNamed = 3;
constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 32;

// A block that is nothing but a branch to itself is where the code ends, no loop.
std::size_t loops_in(const Kernel& kernel) {
    std::set<BlockId> headers;
    for (const auto& [latch, header] : kernel.flow().back_edges)
        if (latch != header || kernel.flow().blocks[header].count > 1) headers.insert(header);
    return headers.size();
}

}  // namespace

void put_passes(nlohmann::json& json, const Kernel& kernel, int assumed, std::span<const TripCount> known) {
    json["loop_trips"] = assumed;
    json["loops"] = loops_in(kernel);
    nlohmann::json others = nlohmann::json::array();
    for (const TripCount& count : known)
        if (count.known && std::abs(count.trips - assumed) >= 0.05 && others.size() < kMostKept)
            others.push_back({{"header", kernel.flow().blocks[count.header].first * kWordBytes},
                              {"passes", std::round(10 * count.trips) / 10}});
    if (!others.empty()) json["other_passes"] = std::move(others);
}

std::string assumed_passes(const EvaluatorInfo& evaluator) {
    if (evaluator.kind != EvaluatorKind::Model) return {};
    const auto stored = parse_json_or_discard(evaluator.json);
    const auto loops = json_or(stored, "loops", std::uint64_t{0}),
               trips = json_or(stored, "loop_trips", std::uint64_t{0});
    if (loops == 0 || trips == 0) return {};
    std::string text = fmt::format("{} passes of each loop assumed", trips);
    const auto others = stored.find("other_passes");
    if (others == stored.end() || !others->is_array()) return text;
    std::size_t named = 0;
    for (const auto& other : *others) {
        const double passes = json_or(other, "passes", -1.0);
        const auto header = json_or(other, "header", kMostOffset);
        if (!(passes >= 0 && passes <= 1e18) || header >= kMostOffset) continue;
        if (++named <= kMostNamed)
            text += fmt::format("{} {:.10g} at 0x{:04x}", named == 1 ? "; by its code and launch" : ",",
                                passes, header);
    }
    return named > kMostNamed ? text + fmt::format(" and others at {} more", named - kMostNamed) : text;
}

std::string assumed_passes(const Kernel& kernel, int assumed, std::span<const TripCount> known) {
    nlohmann::json json;
    put_passes(json, kernel, assumed, known);
    EvaluatorInfo model;
    model.json = json.dump();
    return assumed_passes(model);
}

}  // namespace cubinlab
