// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/sample_length_study.h"

#include <algorithm>
#include <cmath>

#include "app/lab/study/stopwatch.h"
#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLengthsUs[] = {25, 50, 100, 200, 400, 800};
constexpr int kLoads = 16, kPairs = 16;
constexpr double kFar = 4;          // deviations
constexpr double kAsTheyAre = 1e9;  // scale of an estimate that pulls no sample in

}  // namespace

double SampleLengthRow::sample_noise_us() const {
    return pair_deviation / std::sqrt(2.0) * sample_us;
}

double SampleLengthRow::millisecond_deviation() const {
    return pair_deviation * std::sqrt(pair_us / 1000);
}

void describe_pairs(const std::vector<std::vector<float>>& by_load, SampleLengthRow& row) {
    double squares = 0, products = 0, freedom = 0, neighbours = 0;
    std::vector<float> means, errors;  // of a pair against its load's mean
    for (const std::vector<float>& pairs : by_load) {
        if (pairs.size() < 2) continue;
        const Estimate load = estimate(pairs, kAsTheyAre);
        means.push_back(static_cast<float>(load.mean));
        freedom += static_cast<double>(load.count) - 1;
        squares += load.deviation * load.deviation * (static_cast<double>(load.count) - 1);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            errors.push_back(static_cast<float>(pairs[i] - load.mean));
            if (i == 0) continue;
            products += errors.back() * errors[errors.size() - 2];
            neighbours += 1;
        }
    }
    row.loads = means.size();
    row.pairs = errors.size();
    if (means.size() < 2) return;
    const double variance = squares / freedom;
    row.pair_deviation = std::sqrt(variance);
    if (variance > 0) row.neighbours = products / neighbours / variance;
    const auto far = std::count_if(errors.begin(), errors.end(),
                                   [&](float error) { return std::abs(error) > kFar * row.pair_deviation; });
    row.far = static_cast<double>(far) / static_cast<double>(row.pairs);
    const double between = estimate(means, kAsTheyAre).deviation;
    const double explained = variance * static_cast<double>(row.loads) / static_cast<double>(row.pairs);
    row.load_deviation = std::sqrt(std::max(0.0, between * between - explained));
}

Result<SampleLengthStudy> study_sample_length(GpuClient& client, std::span<const std::byte> original,
                                              double seconds, std::stop_token stop) {
    if (auto status = client.ready(stop); !status) return fail(status.error());
    SampleLengthStudy out;
    out.original_us = client.calibration().original_us;
    std::vector<std::vector<std::vector<float>>> seen;
    for (const double length : kLengthsUs) {
        const int launches = static_cast<int>(std::clamp(std::ceil(length / out.original_us), 1.0, 256.0));
        if (!out.rows.empty() && out.rows.back().launches == launches) continue;
        SampleLengthRow row;
        row.launches = launches;
        row.sample_us = launches * out.original_us;
        const int untimed = out.original_us < 300 ? 1 : 0;  // GpuTimer::shape_for
        row.pair_us = 2 * (launches + untimed) * out.original_us;
        out.rows.push_back(row);
    }
    seen.resize(out.rows.size());
    CompareRequest request;
    request.a.assign(original.begin(), original.end());
    request.b = request.a;
    request.loads = kLoads;
    const auto start = Clock::now();
    do {
        for (std::size_t i = 0; i < out.rows.size() && !stop.stop_requested(); ++i) {
            request.study = {kPairs, out.rows[i].launches, 0};
            auto measured = client.compare(request, stop);
            if (!measured && measured.error().code == ErrorCode::Cancelled) break;
            if (!measured) return fail(measured.error());
            if (measured->outcome.kind != OutcomeKind::Ok) {
                ++out.rows[i].failed;
                continue;
            }
            seen[i].insert(seen[i].end(), measured->by_load.begin(), measured->by_load.end());
        }
    } while (seconds_since(start) < seconds && !stop.stop_requested());
    for (std::size_t i = 0; i < out.rows.size(); ++i)
        describe_pairs(seen[i], out.rows[i]);
    return out;
}

}  // namespace cubinlab
