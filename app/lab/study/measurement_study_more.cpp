// SPDX-License-Identifier: GPL-3.0-or-later
// The studies of padded kernels and hostile candidates.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "app/lab/study/measurement_study.h"
#include "app/lab/study/stopwatch.h"
#include "core/gpu/client/worker_replication.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEstimatePairs = 20;  // of each load
constexpr int kPaddedLoads = 12;    // what `measure` takes
constexpr int kSearchLoads = 6, kMostTries = 24;
constexpr std::size_t kFirstPadding = 8;

bool called(const BenchOutcome& outcome) {
    return outcome.kind == OutcomeKind::Ok &&
           (outcome.verdict == Verdict::Faster || outcome.verdict == Verdict::Slower);
}

}  // namespace

Result<std::size_t> find_padding(GpuClient& client, std::span<const std::byte> original,
                                 const std::function<std::vector<std::byte>(std::size_t)>& image,
                                 std::size_t most, double target, std::stop_token stop) {
    if (most == 0) return fail(ErrorCode::Unsupported, "no stall count can be raised", "padding");
    if (auto status = client.ready(stop); !status) return fail(status.error());
    CompareRequest request;
    request.a.assign(original.begin(), original.end());
    request.loads = kSearchLoads;
    std::size_t nearest = 0, below = 0, above = std::min<std::size_t>(kFirstPadding, most);
    double distance = std::abs(target);
    bool bounded = false;
    for (int tries = 0; tries < kMostTries && !stop.stop_requested(); ++tries) {
        const std::size_t now = bounded ? below + (above - below) / 2 : above;
        request.b = image(now);
        auto measured = client.compare(request, stop);
        if (!measured) return fail(measured.error());
        if (measured->outcome.kind != OutcomeKind::Ok)
            return fail(ErrorCode::Worker, "a padded kernel fails: " + measured->outcome.detail, "padding");
        const double slower = -measured->outcome.speedup.log;
        if (std::abs(slower - target) < distance) {
            distance = std::abs(slower - target);
            nearest = now;
        }
        if (distance < target / 6) break;
        if (slower > target) {
            above = now;
            bounded = true;
        } else {
            below = now;
            if (!bounded && now == most) break;
            if (!bounded) above = std::min(most, 2 * now);
        }
        if (bounded && above - below <= 1) break;
    }
    return nearest > 0 ? nearest : above;
}

Result<PaddedStudy> study_padded(GpuClient& client, std::span<const std::byte> original,
                                 std::span<const std::byte> padded, double same_within, double seconds,
                                 std::stop_token stop, std::uint64_t most, int estimate_loads,
                                 std::uint64_t least) {
    if (auto status = client.ready(stop); !status) return fail(status.error());
    PaddedStudy out;
    out.original_us = client.calibration().original_us;
    CompareRequest request;
    request.a.assign(original.begin(), original.end());
    request.b.assign(padded.begin(), padded.end());
    request.loads = estimate_loads;
    request.study.pairs = kEstimatePairs;
    const auto start = Clock::now();
    auto estimated = compare_over_workers(client, request, 1, same_within, stop);
    if (!estimated) return fail(estimated.error());
    if (estimated->outcome.kind != OutcomeKind::Ok)
        return fail(ErrorCode::Worker, "the padded kernel fails: " + estimated->outcome.detail);
    out.estimate = estimated->outcome.speedup;
    out.estimate_pairs = estimated->outcome.samples.size();
    out.estimate_loads = estimated->outcome.loads;
    const Verdict truth = estimated->outcome.verdict;
    request.loads = kPaddedLoads;
    request.study.pairs = 0;
    std::vector<double> half_widths;
    while (out.comparisons + out.failed < most && !stop.stop_requested() &&
           (seconds_since(start) < seconds || out.comparisons + out.failed < least)) {
        auto measured = compare_over_workers(client, request, 2 + out.comparisons, same_within, stop);
        if (!measured && measured.error().code == ErrorCode::Cancelled) break;
        if (!measured) return fail(measured.error());
        const BenchOutcome& o = measured->outcome;
        if (o.kind != OutcomeKind::Ok) {
            ++out.failed;
            continue;
        }
        ++out.comparisons;
        out.covered += o.speedup.low <= out.estimate.log && out.estimate.log <= o.speedup.high;
        out.unclear += o.verdict == Verdict::Unclear;
        out.right += o.verdict == truth && truth != Verdict::Unclear;
        // Wrong is a verdict that the estimate's interval rules out.
        out.wrong += (o.verdict == Verdict::Faster && out.estimate.high < 0) ||
                     (o.verdict == Verdict::Slower && out.estimate.low > 0) ||
                     (o.verdict == Verdict::Same && (truth == Verdict::Faster || truth == Verdict::Slower));
        out.mean_error += o.speedup.log - out.estimate.log;
        half_widths.push_back((o.speedup.high - o.speedup.low) / 2);
    }
    out.mean_error /= static_cast<double>(std::max<std::uint64_t>(out.comparisons, 1));
    out.median_half_width = median(std::move(half_widths));
    return out;
}

Result<HostileStudy> study_hostile(GpuClient& client, const WireImage& original,
                                   std::span<const std::byte> base,
                                   const std::vector<HostileCandidate>& hostile,
                                   const std::vector<WireImage>& good, std::stop_token stop) {
    if (auto status = client.ready(stop); !status) return fail(status.error());
    HostileStudy out;
    for (const HostileCandidate& candidate : hostile)
        out.hostile.push_back({candidate, {}, false});
    // Good ones have the numbers from hostile.size() on.
    std::vector<std::size_t> order(hostile.size() + good.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
    std::vector<bool> seen(order.size(), false);
    const auto start = Clock::now();
    constexpr std::size_t kBatch = 53;
    for (std::size_t at = 0; at < order.size() && !stop.stop_requested(); at += kBatch) {
        const std::size_t end = std::min(order.size(), at + kBatch);
        std::vector<WireImage> images;
        for (std::size_t k = at; k < end; ++k)
            images.push_back(order[k] < hostile.size() ? difference(base, hostile[order[k]].image)
                                                       : good[order[k] - hostile.size()]);
        auto outcomes = client.evaluate(Effort::Screen, original, images, stop);
        if (!outcomes && outcomes.error().code == ErrorCode::Cancelled) break;
        if (!outcomes) return fail(outcomes.error());
        for (std::size_t k = at; k < end; ++k) {
            const BenchOutcome& outcome = (*outcomes)[k - at];
            seen[order[k]] = true;
            if (order[k] < hostile.size()) {
                out.hostile[order[k]].outcome = outcome;
                out.hostile[order[k]].logged = true;
                continue;
            }
            ++out.good;
            const bool same = images[k - at].hash == original.hash;
            out.good_same += same;
            if (outcome.kind != OutcomeKind::Ok) {
                ++out.good_called_bad;
                out.called_bad.push_back(outcome.detail);
            }
            if (!same || !called(outcome)) continue;
            ++out.false_screenings;
            auto promoted = client.evaluate(Effort::Refine, original, {images[k - at]}, stop);
            if (!promoted) return fail(promoted.error());
            out.false_verdicts += called(promoted->front());
        }
    }
    out.seconds = seconds_since(start);
    out.lost = static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), false));
    out.workers = client.workers_started();
    return out;
}

}  // namespace cubinlab
