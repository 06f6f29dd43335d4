// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/rank_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/search/neighbourhood.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostFailuresTold = 8;

RankHalf half_of(const std::vector<double>& loads) {
    RankHalf out;
    out.loads = static_cast<int>(loads.size());
    const auto n = static_cast<double>(loads.size());
    out.mean = std::accumulate(loads.begin(), loads.end(), 0.0) / n;
    double squares = 0;
    for (const double load : loads)
        squares += (load - out.mean) * (load - out.mean);
    if (loads.size() > 1) out.error = std::sqrt(squares / (n - 1) / n);
    return out;
}

struct Measured {
    std::array<std::vector<double>, 2> halves;
    std::string failure;
};

void shuffle(std::vector<std::size_t>& order, Rng& rng) {
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace

std::vector<DrawnSchedule> draw_schedules(const CheckerPtr& checker, const std::optional<Schedule>& good,
                                          const RankSettings& settings) {
    const Schedule original(checker->kernel());
    const Neighbourhood around(
        SearchContext{checker->kernel(), checker, settings.seed, "{}", {}, {}, original});
    Rng rng(settings.seed);
    std::unordered_set<Hash128> seen;
    std::vector<DrawnSchedule> out;
    const auto add = [&](bool near_good, const Schedule& base, const Schedule& schedule) {
        if (!seen.insert(schedule.hash()).second || !checker->check(schedule).empty()) return;
        Mutation edits = schedule == base ? Mutation{} : difference(base, schedule);
        out.push_back({near_good, std::move(edits), schedule});
    };
    for (const bool near_good : {false, true}) {
        if (near_good && !good) break;
        const Schedule& base = near_good ? *good : original;
        const std::size_t wanted = near_good || !good ? settings.schedules : settings.schedules / 2;
        add(near_good, base, base);
        for (std::size_t tries = 0; out.size() < wanted && tries < 20 * settings.schedules; ++tries) {
            const auto length = 1 + rng.below(static_cast<std::uint32_t>(std::max(1, settings.longest)));
            Schedule walked = base;
            for (std::uint32_t step = 0, draws = 0; step < length && draws < 20 * length; ++draws) {
                auto edited = around.draw(walked, draw_class(kClassPrior, rng), rng);
                if (!edited) continue;
                walked = std::move(edited->result);
                ++step;
            }
            add(near_good, base, walked);
        }
    }
    return out;
}

Result<RankRows> measure_ranks(const std::vector<DrawnSchedule>& drawn, const RankMeasure& measure,
                               const RankSettings& settings, const std::stop_token& stop) {
    std::vector<Measured> measured(drawn.size());
    std::vector<std::size_t> order(drawn.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(settings.seed + 1);
    RankRows out;
    const auto began = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    // Two at a time: both halves see as many loads.
    while (out.passes < 2 || seconds() * (out.passes + 2) / out.passes < settings.seconds) {
        shuffle(order, rng);
        for (std::size_t from = 0; from < order.size(); from += settings.batch) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
            std::vector<std::size_t> at;
            std::vector<const Schedule*> batch;
            for (std::size_t k = from; k < std::min(order.size(), from + settings.batch); ++k) {
                if (!measured[order[k]].failure.empty()) continue;
                at.push_back(order[k]);
                batch.push_back(&drawn[order[k]].schedule);
            }
            if (batch.empty()) continue;
            auto looks = measure(batch);
            if (!looks) return fail(looks.error());
            for (std::size_t k = 0; k < looks->size(); ++k) {
                Measured& into = measured[at[k]];
                RankLook& look = (*looks)[k];
                if (look.loads.empty())
                    into.failure = look.failure.empty() ? "no figure" : std::move(look.failure);
                auto& half = into.halves[static_cast<std::size_t>(out.passes % 2)];
                half.insert(half.end(), look.loads.begin(), look.loads.end());
            }
        }
        ++out.passes;
    }
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (measured[i].failure.empty()) {
            out.rows.push_back({drawn[i].near_good, drawn[i].edits, half_of(measured[i].halves[0]),
                                half_of(measured[i].halves[1])});
            continue;
        }
        ++out.failed;
        if (out.failures.size() < kMostFailuresTold)
            out.failures.push_back(fmt::format("near the {}, {}: {}",
                                               drawn[i].near_good ? "good one" : "original",
                                               drawn[i].edits.encode(), measured[i].failure));
    }
    return out;
}

}  // namespace cubinlab
