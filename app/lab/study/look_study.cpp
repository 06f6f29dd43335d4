// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/look_study.h"

#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "app/lab/study/stopwatch.h"
#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 16;

// So many at once.
constexpr std::size_t kWays[] = {1, 4, kTogetherAtMost};

struct Gathered {
    explicit Gathered(std::size_t at_most) : at(at_most > 1 ? at_most : kTogetherAtMost) {
        way.at_most = at_most;
    }

    LookWay way;
    std::vector<std::vector<float>> at;  // looks at the original, by place
    std::vector<float> slower;
    PhaseTimes phases;  // of batches that one worker made from beginning to end
    double phases_seconds = 0;
    std::size_t phases_batches = 0, batches = 0;

    LookWay result() const {
        LookWay out = way;
        std::vector<float> all;
        for (const std::vector<float>& looks : at) {
            const Estimate e = estimate(looks, 0);
            out.mean_at.push_back(e.mean);
            out.error_at.push_back(e.deviation /
                                   std::sqrt(std::max<double>(1, static_cast<double>(looks.size()))));
            all.insert(all.end(), looks.begin(), looks.end());
        }
        out.deviation = estimate(all, 0).deviation;
        const Estimate e = estimate(slower, 0);
        out.slower = e.mean;
        out.slower_error = e.deviation / std::sqrt(std::max<double>(1, static_cast<double>(slower.size())));
        if (phases_batches > 0)
            out.phases = share_of(phases, phases_seconds, static_cast<double>(phases_batches * kBatch));
        return out;
    }
};

// One batch of one way: the slower one is in each place in turn, once in each group.
Status look_at_batch(GpuClient& client, const WireImage& original, const WireImage& slower, Gathered& seen,
                     const std::stop_token& stop) {
    const std::size_t places = seen.at.size(), slow_at = seen.batches++ % places;
    std::vector<WireImage> images(kBatch, original);
    for (std::size_t i = slow_at; i < kBatch; i += places)
        images[i] = slower;
    client.look_together(seen.way.at_most);
    const std::optional<PhaseTimes> before = client.times();
    const int workers = client.workers_started();
    const auto begun = Clock::now();
    const auto outcomes =
        TRY(client.evaluate(Effort::Screen, original, images, stop, 0, {}, {.by_noise = true}));
    const double took = seconds_since(begun);
    seen.way.seconds += took;
    if (before && client.times() && client.workers_started() == workers) {
        add_phases(seen.phases, *before, *client.times());
        seen.phases_seconds += took;
        ++seen.phases_batches;
    }
    seen.way.looks += kBatch;
    for (std::size_t i = 0; i < kBatch; ++i) {
        const BenchOutcome& o = outcomes[i];
        const std::size_t place = i % places;
        if (o.kind != OutcomeKind::Ok)
            ++seen.way.failed;
        else
            (place == slow_at ? seen.slower : seen.at[place]).push_back(static_cast<float>(o.log_speedup));
    }
    return {};
}

}  // namespace

Result<LookStudy> study_looks(GpuClient& client, const WireImage& original, const WireImage& slower,
                              double seconds, std::stop_token stop) {
    TRY(client.ready(stop));
    LookStudy out;
    out.original_us = client.calibration().original_us;
    out.shape = client.calibration().test;
    std::vector<Gathered> ways(std::begin(kWays), std::end(kWays));
    const auto start = Clock::now();
    while (ways.back().batches == 0 || (seconds_since(start) < seconds && !stop.stop_requested())) {
        Status looked;
        for (Gathered& way : ways)
            if (looked) looked = look_at_batch(client, original, slower, way, stop);
        if (!looked && looked.error().code == ErrorCode::Cancelled) break;
        TRY(std::move(looked));
    }
    client.look_together(kTogetherAtMost);
    for (const Gathered& way : ways)
        out.ways.push_back(way.result());
    return out;
}

}  // namespace cubinlab
