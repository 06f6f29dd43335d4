// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/look_study.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "app/lab/study/stopwatch.h"
#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 16;

struct Gathered {
    std::array<std::vector<float>, kTogetherAtMost> at;
    std::vector<float> slower;
    PhaseTimes phases;  // of batches that one worker made from beginning to end
    double phases_seconds = 0;
    std::size_t phases_batches = 0;

    void into(LookWay& way) const {
        std::vector<float> all;
        for (std::size_t place = 0; place < at.size(); ++place) {
            const Estimate e = estimate(at[place], 0);
            way.mean_at[place] = e.mean;
            way.error_at[place] =
                e.deviation / std::sqrt(std::max<double>(1, static_cast<double>(at[place].size())));
            all.insert(all.end(), at[place].begin(), at[place].end());
        }
        way.deviation = estimate(all, 0).deviation;
        const Estimate e = estimate(slower, 0);
        way.slower = e.mean;
        way.slower_error = e.deviation / std::sqrt(std::max<double>(1, static_cast<double>(slower.size())));
        if (phases_batches > 0)
            way.phases = share_of(phases, phases_seconds, static_cast<double>(phases_batches * kBatch));
    }
};

}  // namespace

Result<LookStudy> study_looks(GpuClient& client, const WireImage& original, const WireImage& slower,
                              double seconds, std::stop_token stop) {
    TRY(client.ready(stop));
    LookStudy out;
    out.original_us = client.calibration().original_us;
    out.shape = client.calibration().test;
    Gathered alone, together;
    const auto start = Clock::now();
    for (std::size_t batch = 0; batch < 2 || (seconds_since(start) < seconds && !stop.stop_requested());
         ++batch) {
        const bool with_others = batch % 2 == 1;
        LookWay& way = with_others ? out.together : out.alone;
        Gathered& seen = with_others ? together : alone;
        // The slower one is in each place in turn, once in each group.
        const std::size_t slow_at = batch / 2 % kTogetherAtMost;
        std::vector<WireImage> images(kBatch, original);
        for (std::size_t i = slow_at; i < kBatch; i += kTogetherAtMost)
            images[i] = slower;
        client.look_together(with_others);
        const std::optional<PhaseTimes> before = client.times();
        const int workers = client.workers_started();
        const auto begun = Clock::now();
        auto outcomes = client.evaluate(Effort::Screen, original, images, stop, 0, {}, {.by_noise = true});
        if (!outcomes && outcomes.error().code == ErrorCode::Cancelled) break;
        if (!outcomes) return fail(outcomes.error());
        const double took = seconds_since(begun);
        way.seconds += took;
        if (before && client.times() && client.workers_started() == workers) {
            add_phases(seen.phases, *before, *client.times());
            seen.phases_seconds += took;
            ++seen.phases_batches;
        }
        way.looks += kBatch;
        for (std::size_t i = 0; i < kBatch; ++i) {
            const BenchOutcome& o = (*outcomes)[i];
            const std::size_t place = i % kTogetherAtMost;
            if (o.kind != OutcomeKind::Ok)
                ++way.failed;
            else
                (place == slow_at ? seen.slower : seen.at[place])
                    .push_back(static_cast<float>(o.log_speedup));
        }
    }
    client.look_together(true);
    alone.into(out.alone);
    together.into(out.together);
    return out;
}

}  // namespace cubinlab
