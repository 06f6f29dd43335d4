// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/assumed_passes.h"

#include <fmt/format.h>

#include <set>

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

void put_passes(ModelInfo& info, const Kernel& kernel, const SmModelSettings& settings) {
    info.loop_trips = static_cast<std::uint64_t>(settings.loop_trips);
    info.loops = loops_in(kernel);
    for (const TripCount& count : settings.trips)
        if (count.known)
            info.known_passes.push_back(
                {kernel.flow().blocks[count.header].first * kWordBytes, count.passes});
}

std::vector<TripCount> stored_passes(const ModelInfo& info, const Kernel& kernel) {
    std::vector<TripCount> out;
    const FlowGraph& flow = kernel.flow();
    for (const KnownPasses& known : info.known_passes) {
        if (known.header / kWordBytes >= flow.block_of.size() || known.passes > kMostStored) continue;
        TripCount count;
        count.header = flow.block_of[known.header / kWordBytes];
        count.known = true;
        count.passes = known.passes;
        out.push_back(std::move(count));
    }
    return out;
}

namespace {

std::string words_of(const ModelInfo& info) {
    const auto loops = info.loops.value_or(0), trips = info.loop_trips.value_or(0);
    if (loops == 0 || trips == 0) return {};
    std::string text;
    std::size_t named = 0;
    for (const auto& [header, passes] : info.known_passes) {
        if (header >= kMostOffset || passes > kMostStored) continue;
        if (++named <= kMostNamed)
            text += fmt::format("{} {} at 0x{:04x}", named == 1 ? "loop iterations by code and launch:" : ",",
                                passes, header);
    }
    if (named == 0) return fmt::format("assuming {} iterations of each loop", trips);
    if (named > kMostNamed) text += fmt::format(" and others at {} more", named - kMostNamed);
    if (named < loops) text += fmt::format("; {} assumed of each other loop", trips);
    return text;
}

}  // namespace

std::string assumed_passes(const EvaluatorInfo& evaluator) {
    return evaluator.kind == EvaluatorKind::Model ? words_of(evaluator.model) : std::string();
}

std::string assumed_passes(const Kernel& kernel, const SmModelSettings& settings) {
    ModelInfo info;
    put_passes(info, kernel, settings);
    return words_of(info);
}

}  // namespace cubinlab
