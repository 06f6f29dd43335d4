// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubinlab::ui {
namespace {
constexpr StepId kRateEvery = 50;  // steps between two points of the rate
}  // namespace

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
