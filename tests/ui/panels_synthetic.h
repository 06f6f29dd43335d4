// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up blocks, runs and batches for tests of the panels: deterministic, no kernel needed.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/legality/dependency_graph.h"
#include "core/search/engine/tune_run.h"
#include "ui/graph/dependency_picture.h"

namespace cubinlab::ui::synthetic {

// A block with the look of a matrix-multiply body: loads, then HMMA chains that consume them, then stores.
inline DependencyGraph dependency_graph(std::uint32_t count, std::vector<NodeText>& texts) {
    DependencyGraph g;
    std::mt19937 random(7);
    static const char* const kTexts[] = {"LDG.E.128 R8, desc[UR6][R18.64]", "LDSM.16.M88.4 R24, [R40+0x800]",
                                         "HMMA.16816.F32 R4, R24, R28, R4", "IADD3 R18, P0, R18, 0x40, RZ",
                                         "@!P2 STS.128 [R41], R8"};
    for (std::uint32_t i = 0; i < count; ++i) {
        g.nodes.push_back(i);
        const std::uint32_t what = i * 3 < count ? i % 2 : i % 9 == 0 ? 3 : i % 13 == 0 ? 4 : 2;
        texts.push_back({QString::fromLatin1(kTexts[what]), 16 * i});
        g.earliest.push_back(static_cast<int>(2 * i));
        g.slack.push_back(static_cast<int>(random() % 24));
    }
    const auto add = [&](InstrId from, InstrId to, DependenceKind kind, int latency) {
        Dependence d;
        d.from = from;
        d.to = to;
        d.kind = kind;
        d.reg = static_cast<std::uint8_t>(from % 200);
        d.latency = latency;
        d.distance = static_cast<int>(to - from) * 2;
        if (latency > 30) d.scoreboard = static_cast<std::int8_t>(from % 6);
        g.edges.push_back(d);
    };
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::uint32_t reach = std::min(i, 24U);
        add(i - 1 - random() % reach, i, DependenceKind::Raw, i % 5 == 0 ? 500 : 18);
        const auto pick = random() % 10;
        if (pick < 6) add(i - 1 - random() % reach, i, static_cast<DependenceKind>(pick), 4);
    }
    for (InstrId i = 0;
         i < count;) {  // a chain through the first edge of each node: critical by definition here
        g.critical_path.push_back(i);
        g.slack[i] = 0;
        InstrId next = 0;
        for (const Dependence& d : g.edges)
            if (d.from == i && d.to > i) next = std::max(next, d.to);
        if (next == 0) break;
        i = next;
    }
    if (count > 4) {
        add(count - 1, 0, DependenceKind::Raw, 18);
        g.edges.back().loop_carried = true;
    }
    g.length = static_cast<int>(2 * count);
    return g;
}

inline constexpr StepId kBestEvery = 37;

// A run's step as a function of its number: noise, rare failures, an improvement every kBestEvery steps.
inline StepRecord step(StepId id) {
    std::mt19937 random(static_cast<unsigned>(id));
    StepRecord r;
    r.step = id;
    r.parent = id - 1;
    r.mutation.edits.push_back({EditKind::MoveBefore,
                                static_cast<InstrId>(random() % 3),
                                static_cast<InstrId>(3 + random() % 3),
                                {},
                                {}});
    const bool best = id % kBestEvery == 0;
    const double gain = 0.06 * (1 - std::exp(-static_cast<double>(id) / 200));
    r.outcome.kind = !best && random() % 15 == 0 ? OutcomeKind::Illegal : OutcomeKind::Ok;
    r.outcome.speedup.log = best ? gain : gain - 0.0002 * static_cast<double>(random() % 300);
    r.outcome.speedup.low = r.outcome.speedup.log - 0.004;
    r.outcome.speedup.high = r.outcome.speedup.log + 0.004;
    r.outcome.verdict = best ? Verdict::Faster : static_cast<Verdict>(random() % 4);
    r.reward = r.outcome.ok() ? 10 * r.outcome.speedup.log : -0.5;
    r.best = best;
    r.accepted = best || random() % 4 == 0;
    r.time_us = id * 1800;
    return r;
}

inline std::vector<StepRecord> steps(StepId first, StepId last) {
    std::vector<StepRecord> out;
    for (StepId s = first; s <= last; ++s)
        out.push_back(step(s));
    return out;
}

}  // namespace cubinlab::ui::synthetic
