// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/look_study.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

constexpr std::size_t kBatch = 16;

class Watch {
  public:
    double seconds() const { return std::chrono::duration<double>(Now::now() - start_).count(); }

  private:
    using Now = std::chrono::steady_clock;
    Now::time_point start_ = Now::now();
};

struct Gathered {
    std::array<std::vector<float>, kTogetherAtMost> at;
    std::vector<float> slower;

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
    }
};

// Batches that one worker made from beginning to end.
struct Stretches {
    PhaseTimes before, after;
    double seconds = 0;
    std::size_t batches = 0;

    void add(const PhaseTimes& from, const PhaseTimes& to, double took) {
        add_phases(before, from);
        add_phases(after, to);
        seconds += took;
        ++batches;
    }
    PhaseShare share() const {
        if (batches == 0) return {};
        return phases_between(before, after, seconds, static_cast<double>(batches * kBatch));
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
    Stretches alone_phases, together_phases;
    const Watch whole;
    for (std::size_t batch = 0; batch < 2 || (whole.seconds() < seconds && !stop.stop_requested()); ++batch) {
        const bool with_others = batch % 2 == 1;
        LookWay& way = with_others ? out.together : out.alone;
        Gathered& seen = with_others ? together : alone;
        Stretches& phases = with_others ? together_phases : alone_phases;
        // The slower one is in each place in turn, once in each group.
        const std::size_t slow_at = batch / 2 % kTogetherAtMost;
        std::vector<WireImage> images(kBatch, original);
        for (std::size_t i = slow_at; i < kBatch; i += kTogetherAtMost)
            images[i] = slower;
        client.look_together(with_others);
        const std::optional<PhaseTimes> before = client.times();
        const int workers = client.workers_started();
        const Watch watch;
        auto outcomes = client.evaluate(Effort::Screen, original, images, stop, 0, {}, {.by_noise = true});
        if (!outcomes && outcomes.error().code == ErrorCode::Cancelled) break;
        if (!outcomes) return fail(outcomes.error());
        const double took = watch.seconds();
        way.seconds += took;
        if (before && client.times() && client.workers_started() == workers)
            phases.add(*before, *client.times(), took);
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
    out.alone.phases = alone_phases.share();
    out.together.phases = together_phases.share();
    alone.into(out.alone);
    together.into(out.together);
    return out;
}

}  // namespace cubinlab
