// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/edit_features.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/dependency_graph.h"

namespace cubinlab {
namespace {

enum Act : std::size_t { kUp, kDown, kStallLess, kStallMore, kYieldOn, kYieldOff, kReuse, kWait, kBarrier };

constexpr std::array<const char*, EditFeatures::kGroups> kGroupNames = {
    "arithmetic", "FMA", "half",       "tensor",  "wgmma",   "special",
    "MIO",        "LSU", "other load", "uniform", "control", "other"};
constexpr std::array<const char*, EditFeatures::kActs> kActNames = {
    "up", "down", "stall less", "stall more", "yield on", "yield off", "reuse", "wait", "barrier"};
constexpr std::array<const char*, EditFeatures::kMeasures> kMeasureNames = {"always",
                                                                            "places",
                                                                            "places, squared",
                                                                            "stall cycles in all",
                                                                            "its stall",
                                                                            "it waits",
                                                                            "passes a wait",
                                                                            "write barrier",
                                                                            "read barrier",
                                                                            "cycles to the consumer",
                                                                            "far consumer",
                                                                            "cycles from the producer",
                                                                            "place in block",
                                                                            "in a loop",
                                                                            "in an inner loop",
                                                                            "block's length",
                                                                            "moved before",
                                                                            "back to the start",
                                                                            "passes its own kind",
                                                                            "edits beside"};

double squashed(double value, double scale) {
    return std::tanh(value / scale);
}

Act act_of(const Edit& edit) {
    const ControlCode &a = edit.before, &b = edit.after;
    if (a.stall != b.stall) return b.stall < a.stall ? kStallLess : kStallMore;
    if (a.yield != b.yield) return b.yield ? kYieldOn : kYieldOff;
    if (a.reuse != b.reuse) return kReuse;
    if (a.wait_mask != b.wait_mask) return kWait;
    return kBarrier;
}

}  // namespace

std::size_t unit_group(Unit unit) {
    switch (unit) {
        case Unit::Alu:
            return 0;
        case Unit::Fma:
        case Unit::FmaWide:
            return 1;
        case Unit::Fp16:
        case Unit::H2Mma:
            return 2;
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
            return 3;
        case Unit::Gmma:
        case Unit::AsyncGroup:
            return 4;
        case Unit::Xu:
        case Unit::Fp64:
            return 5;
        case Unit::Mio:
            return 6;
        case Unit::Lsu:
            return 7;
        case Unit::Tex:
        case Unit::Ldc:
        case Unit::S2r:
        case Unit::S2ur:
        case Unit::Cs2r:
            return 8;
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::R2ur:
            return 9;
        case Unit::Cbu:
        case Unit::Barrier:
        case Unit::Fence:
        case Unit::Depbar:
            return 10;
        default:
            return 11;
    }
}

EditFeatures::EditFeatures(KernelPtr kernel)
    : kernel_(std::move(kernel)), producers_(kernel_->size()), consumers_(kernel_->size()) {
    for (InstrId id = 0; id < kernel_->size(); ++id)
        group_.push_back(static_cast<std::uint8_t>(unit_group(kernel_->instruction(id).unit)));
    const Schedule original(kernel_);
    for (BlockId block = 0; block < kernel_->flow().blocks.size(); ++block)
        for (const Dependence& edge : build_dependency_graph(original, block, false).edges) {
            if (edge.kind != DependenceKind::Raw && edge.kind != DependenceKind::Scoreboard) continue;
            producers_[edge.to].push_back(edge.from);
            consumers_[edge.from].push_back(edge.to);
        }
}

EditFeatures::Row EditFeatures::of(const Schedule& before, const Mutation& mutation) const {
    Row row{};
    if (mutation.empty()) return row;
    const InstrId id = mutation.instr();
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    const Position at = before.position_of(id);

    // The lead's move, and what all edits together do to the stall counts.
    Position to = at;
    int stalls = 0;
    const Edit* control = nullptr;
    for (const Edit& edit : mutation.edits) {
        if (edit.kind == EditKind::Control) {
            stalls += static_cast<int>(edit.after.stall) - static_cast<int>(edit.before.stall);
            if (control == nullptr && edit.instr == id) control = &edit;
            continue;
        }
        if (edit.instr != id) continue;
        const Position anchor = before.position_of(edit.anchor);
        to = edit.kind == EditKind::MoveBefore ? (anchor > at ? anchor - 1 : anchor)
                                               : (anchor > at ? anchor : anchor + 1);
    }
    Act act = kBarrier;
    if (to != at)
        act = to < at ? kUp : kDown;
    else if (control != nullptr)
        act = act_of(*control);
    else if (mutation.edits.front().kind == EditKind::Control)
        act = act_of(mutation.edits.front());
    const std::size_t group = group_[id];
    row[act * kGroups + group] = 1;

    bool past_wait = false, past_kin = false;
    if (to != at) {
        std::array<float, kGroups> passed{};
        for (Position p = std::min(at, to); p <= std::max(at, to); ++p) {
            if (p == at) continue;
            const InstrId other = before.at(p);
            passed[group_[other]] += 1;
            past_wait = past_wait || before.control(other).wait_mask != 0;
            past_kin = past_kin || kernel_->instruction(other).mnemonic == kernel_->instruction(id).mnemonic;
        }
        float* out = row.data() + kActs * kGroups + ((act == kDown ? kGroups : 0) + group) * kGroups;
        for (std::size_t g = 0; g < kGroups; ++g)
            out[g] = std::log2(1 + passed[g]) / 3;
    }

    int consumer = 1000, producer = 1000;
    {
        std::vector<int> issue(block.count);
        int now = 0;
        for (Position p = block.first; p < block.end(); ++p) {
            issue[p - block.first] = now;
            now += std::max<int>(1, before.control(before.at(p)).stall);
        }
        const auto cycle = [&](InstrId other) { return issue[before.position_of(other) - block.first]; };
        for (const InstrId other : consumers_[id])
            if (before.position_of(other) > at) consumer = std::min(consumer, cycle(other) - cycle(id));
        for (const InstrId other : producers_[id])
            if (before.position_of(other) < at) producer = std::min(producer, cycle(id) - cycle(other));
    }
    const ControlCode& code = before.control(id);
    const double places = to > at ? to - at : at - to;
    const double drift = static_cast<double>(at) - static_cast<double>(id);
    const std::array<double, kMeasures> measures = {
        1,
        std::log2(1 + places) / 4,
        std::pow(std::log2(1 + places) / 4, 2),
        std::clamp(stalls / 8.0, -1.5, 1.5),
        code.stall / 15.0,
        code.wait_mask != 0 ? 1.0 : 0.0,
        past_wait ? 1.0 : 0.0,
        code.write_barrier != kNoBarrier ? 1.0 : 0.0,
        code.read_barrier != kNoBarrier ? 1.0 : 0.0,
        squashed(consumer, 16),
        squashed(consumer, 200),
        squashed(producer, 16),
        block.count > 1 ? static_cast<double>(at - block.first) / (block.count - 1) : 0.0,
        block.loop_depth >= 1 ? 1.0 : 0.0,
        block.loop_depth >= 2 ? 1.0 : 0.0,
        std::log2(static_cast<double>(block.count)) / 10,
        squashed(std::abs(drift), 8),
        drift != 0 && (drift > 0) == (to < at) && to != at ? 1.0 : 0.0,
        past_kin ? 1.0 : 0.0,
        std::min(3.0, static_cast<double>(mutation.edits.size() - 1)) / 3,
    };
    float* out = row.data() + kActs * kGroups + 2 * kGroups * kGroups +
                 (act == kUp     ? 0
                  : act == kDown ? 1
                                 : 2) *
                     kMeasures;
    for (std::size_t m = 0; m < kMeasures; ++m)
        out[m] = static_cast<float>(measures[m]);
    return row;
}

std::string EditFeatures::name(std::size_t feature) {
    if (feature < kActs * kGroups)
        return std::string(kActNames[feature / kGroups]) + " " + kGroupNames[feature % kGroups];
    feature -= kActs * kGroups;
    if (feature < 2 * kGroups * kGroups)
        return std::string(feature < kGroups * kGroups ? "up " : "down ") +
               kGroupNames[feature / kGroups % kGroups] + " past " + kGroupNames[feature % kGroups];
    feature -= 2 * kGroups * kGroups;
    static constexpr std::array<const char*, 3> kWays = {"up: ", "down: ", "stays: "};
    return std::string(kWays[feature / kMeasures]) + kMeasureNames[feature % kMeasures];
}

}  // namespace cubinlab
