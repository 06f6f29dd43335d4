// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubinlab::ui {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

constexpr StepId kRateEvery = 50;  // steps between two points of the rate

}  // namespace

double CurveStore::Mean::value() const {
    return remains >= 1 ? kNoValue : sum / (1 - remains);
}

void CurveStore::Mean::add(float value, double weight) {
    if (std::isnan(value)) return;
    sum = weight * sum + (1 - weight) * static_cast<double>(value);
    remains *= weight;
}

void CurveStore::append(StepId step, float value) {
    if (values_.empty()) {
        first_ = step;
    } else if (step <= last_step()) {
        return;
    } else if (steps_.empty() && step != first_ + static_cast<StepId>(values_.size())) {
        for (std::size_t i = 0; i < values_.size(); ++i)
            steps_.push_back(static_cast<std::uint32_t>(first_ + static_cast<StepId>(i)));
        steps_.push_back(static_cast<std::uint32_t>(step));
    } else if (!steps_.empty()) {
        steps_.push_back(static_cast<std::uint32_t>(step));
    }
    values_.push_back(value);
    mean_.add(value, weight_);
    if (values_.size() % kBucket == 0) close_bucket(values_.size() / kBucket - 1);
}

void CurveStore::close_bucket(std::size_t bucket) {
    Summary s{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN(),
              static_cast<float>(mean_.sum), static_cast<float>(mean_.remains)};
    for (std::size_t i = bucket * kBucket; i < (bucket + 1) * kBucket; ++i) {
        s.low = std::fmin(s.low, values_[i]);
        s.high = std::fmax(s.high, values_[i]);
    }
    summaries_.push_back(s);
}

void CurveStore::clear() {
    values_.clear();
    steps_.clear();
    summaries_.clear();
    mean_ = {};
    first_ = 0;
}

void CurveStore::set_smoothing(double weight) {
    weight_ = std::clamp(weight, 0.0, 0.9999);
    mean_ = {};
    for (std::size_t i = 0; i < values_.size(); ++i) {
        mean_.add(values_[i], weight_);
        if ((i + 1) % kBucket != 0) continue;
        summaries_[i / kBucket].sum = static_cast<float>(mean_.sum);
        summaries_[i / kBucket].remains = static_cast<float>(mean_.remains);
    }
}

std::size_t CurveStore::index_of(StepId step) const {
    if (steps_.empty()) {
        if (step <= first_) return 0;
        return std::min(values_.size(), static_cast<std::size_t>(step - first_));
    }
    const auto wanted = static_cast<std::uint32_t>(std::clamp<StepId>(step, 0, 0xffffffffLL));
    return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), wanted) - steps_.begin());
}

CurveStore::Mean CurveStore::state_before(std::size_t bucket) const {
    if (bucket == 0) return {};
    const Summary& s = summaries_[bucket - 1];
    return {static_cast<double>(s.sum), static_cast<double>(s.remains)};
}

double CurveStore::smoothed_at(std::size_t i) const {
    Mean mean = state_before(i / kBucket);
    for (std::size_t k = i / kBucket * kBucket; k <= i; ++k)
        mean.add(values_[k], weight_);
    return mean.value();
}

std::vector<CurvePoint> CurveStore::extremes(StepId from, StepId to, std::size_t columns) const {
    std::vector<CurvePoint> out;
    const std::size_t begin = index_of(from), end = index_of(to + 1);
    if (begin >= end) return out;
    const std::size_t count = end - begin;
    if (columns == 0 || count <= 2 * columns) {
        for (std::size_t i = begin; i < end; ++i)
            if (!std::isnan(values_[i])) out.push_back({double(step_at(i)), double(values_[i])});
        return out;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t first = begin + count * c / columns, last = begin + count * (c + 1) / columns;
        float low = std::numeric_limits<float>::quiet_NaN(), high = low;
        for (std::size_t i = first; i < last;) {
            const bool whole = i % kBucket == 0 && i + kBucket <= last && i / kBucket < summaries_.size();
            low = std::fmin(low, whole ? summaries_[i / kBucket].low : values_[i]);
            high = std::fmax(high, whole ? summaries_[i / kBucket].high : values_[i]);
            i += whole ? kBucket : 1;
        }
        if (std::isnan(low)) continue;
        const auto x = double(step_at((first + last) / 2));
        out.push_back({x, double(low)});
        if (high > low) out.push_back({x, double(high)});
    }
    return out;
}

std::vector<CurvePoint> CurveStore::smoothed(StepId from, StepId to, std::size_t columns) const {
    std::vector<CurvePoint> out;
    const std::size_t begin = index_of(from), end = index_of(to + 1);
    if (begin >= end) return out;
    const std::size_t count = end - begin;
    if (columns == 0 || count <= 2 * columns) {
        Mean mean = state_before(begin / kBucket);
        for (std::size_t i = begin / kBucket * kBucket; i < end; ++i) {
            mean.add(values_[i], weight_);
            if (i >= begin && mean.remains < 1) out.push_back({double(step_at(i)), mean.value()});
        }
        return out;
    }
    for (std::size_t c = 1; c <= columns; ++c) {
        const std::size_t i = begin + count * c / columns - 1;
        const double y = smoothed_at(i);
        if (!std::isnan(y)) out.push_back({double(step_at(i)), y});
    }
    return out;
}

StepId CurveStore::highest(StepId from, StepId to) const {
    StepId best = 0;
    float value = -std::numeric_limits<float>::infinity();
    for (std::size_t i = index_of(from), end = index_of(to + 1); i < end; ++i) {
        if (std::isnan(values_[i]) || values_[i] <= value) continue;
        value = values_[i];
        best = step_at(i);
    }
    return best;
}

std::size_t CurveStore::bytes() const {
    return values_.size() * sizeof(float) + steps_.size() * sizeof(std::uint32_t) +
           summaries_.size() * sizeof(Summary);
}

bool RunCurves::agent_metrics() const {
    return !episodes.empty() || std::any_of(metrics.begin(), metrics.end(), [](const auto& named) {
        return named.first != kRateMetric && named.first.rfind("GPU ", 0) != 0;
    });
}

// Metrics of every run: candidates/s and the GPU's readings.
void RunCurves::add_readings(const StepRecord& r) {
    if (work_.add(r.time_us)) {  // the run was resumed and its clock restarted
        rate_from_ = r.step - 1;
        rate_from_us_ = 0;
    }
    if (r.step - rate_from_ >= kRateEvery) {
        if (r.time_us > rate_from_us_)
            add_metric({r.step, kRateMetric,
                        static_cast<double>(r.step - rate_from_) * 1e6 /
                            static_cast<double>(r.time_us - rate_from_us_)});
        rate_from_ = r.step;
        rate_from_us_ = r.time_us;
    }
    if (r.outcome.states.empty()) return;
    const GpuReading& last = r.outcome.states.back();
    const float values[] = {last.sm_clock_mhz, last.temperature_c, last.power_w};
    for (std::size_t i = 0; i < std::size(values); ++i)
        if (values[i] >= 0) add_metric({r.step, kGpuMetrics[i], static_cast<double>(values[i])});
}

void RunCurves::add(const std::vector<StepRecord>& steps) {
    for (const StepRecord& r : steps) {
        if (r.step <= last_step) continue;  // a batch that was delivered twice
        last_step = r.step;
        const float gain = r.outcome.ok() ? static_cast<float>(r.outcome.speedup.percent())
                                          : std::numeric_limits<float>::quiet_NaN();
        speed.append(r.step, gain);
        reward.append(r.step, static_cast<float>(r.reward));
        add_readings(r);
        if (r.best && r.outcome.ok())
            best.push_back(
                {r.step, r.outcome.speedup.log, measured() && r.outcome.verdict == Verdict::Faster});
    }
}

void RunCurves::add_metric(const MetricPoint& point) {
    const auto [it, fresh] = metrics.try_emplace(point.name);
    if (fresh) it->second.set_smoothing(reward.smoothing());
    it->second.append(point.step, static_cast<float>(point.value));
}

void RunCurves::set_smoothing(double weight) {
    reward.set_smoothing(weight);
    episodes.set_smoothing(weight);
    for (auto& [name, curve] : metrics)
        curve.set_smoothing(weight);
}

const BestPoint* RunCurves::best_before(StepId step) const {
    const auto after = std::upper_bound(best.begin(), best.end(), step,
                                        [](StepId s, const BestPoint& p) { return s < p.step; });
    return after == best.begin() ? nullptr : &*std::prev(after);
}

double RunCurves::best_at(StepId step) const {
    const BestPoint* point = best_before(step);
    return point ? point->log_speedup : 0;
}

std::vector<BestPoint> thinned(const std::vector<BestPoint>& best, StepId from, StepId to,
                               const std::function<int(StepId)>& column_of) {
    std::vector<BestPoint> out;
    auto at = std::lower_bound(best.begin(), best.end(), from,
                               [](const BestPoint& p, StepId step) { return p.step < step; });
    if (at != best.begin()) out.push_back(*std::prev(at));
    int column = 0;
    for (bool first = true; at != best.end() && at->step <= to; ++at, first = false) {
        const int here = column_of(at->step);
        if (!first && here == column)
            out.back() = *at;
        else
            out.push_back(*at);
        column = here;
    }
    return out;
}

std::size_t RunCurves::bytes() const {
    std::size_t sum = speed.bytes() + reward.bytes() + episodes.bytes() + best.size() * sizeof(BestPoint);
    for (const auto& [name, curve] : metrics)
        sum += curve.bytes();
    return sum;
}

}  // namespace cubinlab::ui
