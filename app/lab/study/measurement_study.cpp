// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/measurement_study.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/lab/study/stopwatch.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

double deviation_of(const std::vector<float>& values) {
    return estimate(values, 1e9).deviation;
}

}  // namespace

void FalseVerdicts::add(const BenchOutcome& outcome) {
    if (outcome.kind != OutcomeKind::Ok) {
        ++failed;
        return;
    }
    ++comparisons;
    pairs += outcome.samples.size();
    faster += outcome.verdict == Verdict::Faster;
    same += outcome.verdict == Verdict::Same;
    slower += outcome.verdict == Verdict::Slower;
}

void FalseVerdicts::add(const FalseVerdicts& other) {
    comparisons += other.comparisons;
    faster += other.faster;
    slower += other.slower;
    same += other.same;
    failed += other.failed;
    pairs += other.pairs;
}

Result<SameStudy> study_same(GpuClient& client, const WireImage& original, double seconds, double same_within,
                             std::stop_token stop) {
    if (auto status = client.ready(stop); !status) return fail(status.error());
    SameStudy out;
    const Calibration& calibration = client.calibration();
    out.original_us = calibration.original_us;
    out.predicted_detectable = calibration.detectable;
    std::vector<float> one_load, confirmed;
    std::vector<double> half_widths;
    std::size_t first_load_pairs = 0;
    const auto start = Clock::now();
    const std::pair<Effort, std::size_t> round[] = {
        {Effort::Screen, 8}, {Effort::Refine, 6}, {Effort::Confirm, 3}};
    while (seconds_since(start) < seconds && !stop.stop_requested())
        for (std::size_t rung = 0; rung < 3; ++rung) {
            const std::vector<WireImage> images(round[rung].second, original);
            auto outcomes = client.evaluate(round[rung].first, original, images, stop);
            if (!outcomes && outcomes.error().code == ErrorCode::Cancelled) break;
            if (!outcomes) return fail(outcomes.error());
            for (const BenchOutcome& outcome : *outcomes) {
                out.rungs[rung].add(outcome);
                if (outcome.kind != OutcomeKind::Ok) continue;
                if (rung == 1 && outcome.loads > 0) {
                    first_load_pairs = outcome.samples.size() / outcome.loads;
                    const auto first = std::span(outcome.samples).first(first_load_pairs);
                    one_load.push_back(static_cast<float>(estimate(first, 0).mean));
                }
                if (rung == 2) {
                    confirmed.push_back(static_cast<float>(outcome.speedup.log));
                    half_widths.push_back((outcome.speedup.high - outcome.speedup.low) / 2);
                }
            }
        }
    out.seconds = seconds_since(start);
    const double pairs = static_cast<double>(std::max<std::size_t>(first_load_pairs, 1));
    out.predicted_deviation =
        std::hypot(calibration.pair_deviation / std::sqrt(pairs), calibration.load_deviation);
    out.seen_deviation = deviation_of(one_load);
    out.seen_detectable = same_within + median(half_widths) + 1.645 * deviation_of(confirmed);
    return out;
}

Result<RateStudy> study_rate(GpuClient& client, const WireImage& original,
                             const std::function<std::vector<WireImage>()>& next, double seconds,
                             std::stop_token stop, const WireImage* broken, const Sampling& sampling) {
    if (auto status = client.ready(stop); !status) return fail(status.error());
    // A first batch is not counted: it loads and checks the reference.
    if (auto first = client.evaluate(Effort::Screen, original, next(), stop, 0, {}, sampling); !first)
        return fail(first.error());
    RateStudy out;
    out.original_us = client.calibration().original_us;
    const PhaseTimes before = client.times().value_or(PhaseTimes{});
    const int workers = client.workers_started();
    std::uint64_t pairs = 0;
    const auto start = Clock::now();
    while (seconds_since(start) < seconds && !stop.stop_requested()) {
        auto outcomes = client.evaluate(Effort::Screen, original, next(), stop, 0, {}, sampling);
        if (!outcomes && outcomes.error().code == ErrorCode::Cancelled) break;
        if (!outcomes) return fail(outcomes.error());
        for (const BenchOutcome& outcome : *outcomes) {
            ++out.candidates;
            out.failed += outcome.kind != OutcomeKind::Ok;
            pairs += outcome.samples.size();
        }
        out.seconds = seconds_since(start);  // a batch that was stopped counts for nothing
    }
    const double n = static_cast<double>(std::max<std::uint64_t>(out.candidates, 1));
    out.pairs = static_cast<double>(pairs) / n;
    const bool one_worker =
        client.workers_started() == workers && client.times();  // phases are a worker's own
    PhaseTimes spent;
    if (one_worker) add_phases(spent, before, *client.times());
    out.phases = share_of(spent, out.seconds, n);
    if (!broken || stop.stop_requested()) return out;
    const std::size_t restarts = client.restart_seconds().size();
    auto failures = client.evaluate(Effort::Screen, original, std::vector<WireImage>(5, *broken), stop);
    if (!failures && failures.error().code != ErrorCode::Cancelled) return fail(failures.error());
    std::vector<double> ms;
    for (std::size_t i = restarts; i < client.restart_seconds().size(); ++i)
        ms.push_back(client.restart_seconds()[i] * 1e3);
    if (ms.empty()) return out;
    out.first_restart_ms = ms.front();
    ms.erase(ms.begin());
    out.restart_ms = median(ms);
    return out;
}

}  // namespace cubinlab
