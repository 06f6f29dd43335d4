// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/assumed_passes.h"

#include <fmt/format.h>

#include <set>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::uint64_t kMostStored = 1'000'000'000;
constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 32;

// A block that is nothing but a branch to itself is where the code ends, no loop.
std::size_t loops_in(const Kernel& kernel) {
    std::set<BlockId> headers;
    for (const auto& [latch, header] : kernel.flow().back_edges)
        if (latch != header || kernel.flow().blocks[header].count > 1) headers.insert(header);
    return headers.size();
}

}  // namespace

void put_passes(nlohmann::json& json, const Kernel& kernel, const SmModelSettings& settings) {
    json["loop_trips"] = settings.loop_trips;
    json["loops"] = loops_in(kernel);
    nlohmann::json known = nlohmann::json::array();
    for (const TripCount& count : settings.trips)
        if (count.known)
            known.push_back({{"header", kernel.flow().blocks[count.header].first * kWordBytes},
                             {"passes", count.passes}});
    if (!known.empty()) json["known_passes"] = std::move(known);
}

std::vector<TripCount> stored_passes(const nlohmann::json& json, const Kernel& kernel) {
    std::vector<TripCount> out;
    const auto known = json.find("known_passes");
    if (known == json.end() || !known->is_array()) return out;
    const FlowGraph& flow = kernel.flow();
    for (const auto& stored : *known) {
        const auto header = json_or(stored, "header", kMostOffset);
        const auto passes = json_or(stored, "passes", kMostStored + 1);
        if (header / kWordBytes >= flow.block_of.size() || passes > kMostStored) continue;
        TripCount count;
        count.header = flow.block_of[header / kWordBytes];
        count.known = true;
        count.passes = passes;
        out.push_back(std::move(count));
    }
    return out;
}

std::string assumed_passes(const EvaluatorInfo& evaluator) {
    if (evaluator.kind != EvaluatorKind::Model) return {};
    const auto stored = parse_json_or_discard(evaluator.json);
    const auto loops = json_or(stored, "loops", std::uint64_t{0}),
               trips = json_or(stored, "loop_trips", std::uint64_t{0});
    if (loops == 0 || trips == 0) return {};
    std::string text;
    std::size_t named = 0;
    if (const auto known = stored.find("known_passes"); known != stored.end() && known->is_array())
        for (const auto& one : *known) {
            const auto header = json_or(one, "header", kMostOffset);
            const auto passes = json_or(one, "passes", kMostStored + 1);
            if (header >= kMostOffset || passes > kMostStored) continue;
            if (++named <= kMostNamed)
                text += fmt::format("{} {} at 0x{:04x}",
                                    named == 1 ? "passes of loops by code and launch:" : ",", passes, header);
        }
    if (named == 0) return fmt::format("{} passes of each loop assumed", trips);
    if (named > kMostNamed) text += fmt::format(" and others at {} more", named - kMostNamed);
    if (named < loops) text += fmt::format("; {} assumed of each other loop", trips);
    return text;
}

std::string assumed_passes(const Kernel& kernel, const SmModelSettings& settings) {
    nlohmann::json json;
    put_passes(json, kernel, settings);
    EvaluatorInfo model;
    model.json = json.dump();
    return assumed_passes(model);
}

}  // namespace cubinlab
