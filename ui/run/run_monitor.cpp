// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_monitor.h"

#include <algorithm>

namespace cubinlab::ui {
namespace {
constexpr std::int64_t kWindowUs = 4'000'000;  // of the rate
}  // namespace

std::uint32_t slowdown_reasons(std::uint32_t reasons) {
    constexpr std::uint32_t kSwPowerCap = 0x4, kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40,
                            kHwPowerBrake = 0x80;
    return reasons & (kSwPowerCap | kHwSlowdown | kSwThermal | kHwThermal | kHwPowerBrake);
}

double seconds_left(double fraction, double seconds) {
    if (fraction <= 0.005 || fraction >= 1 || seconds <= 0) return fraction >= 1 ? 0 : -1;
    return seconds * (1 - fraction) / fraction;
}

void RunMonitor::clear() {
    *this = {};
}

void RunMonitor::add(const std::vector<StepRecord>& steps) {
    for (const StepRecord& r : steps) {
        if (work_.add(r.time_us)) recent_ = {{0, steps_}};  // the run was resumed and its clock restarted
        ++steps_;
        accepted_ += r.accepted;
        best_ += r.best;
        repeated_ += r.repeated;
        ++outcomes_[std::min<std::size_t>(static_cast<std::size_t>(r.outcome.kind), kOutcomes - 1)];
        for (const GpuReading& seen : r.outcome.states) {
            const auto reasons =
                seen.throttle_reasons > 0 ? static_cast<std::uint32_t>(seen.throttle_reasons) : 0;
            const GpuSample sample{seen.sm_clock_mhz, seen.temperature_c, seen.power_w,
                                   slowdown_reasons(reasons)};
            throttled_ += sample.throttle != 0;
            gpu_.push_back(sample);
        }
    }
    while (gpu_.size() > kGpuSamples)
        gpu_.pop_front();
    if (steps.empty()) return;
    recent_.emplace_back(steps.back().time_us, steps_);
    while (recent_.size() > 2 && recent_.back().first - recent_[1].first > kWindowUs)
        recent_.pop_front();
}

double RunMonitor::rate() const {
    if (recent_.empty()) return 0;
    const auto [from, before] =
        recent_.size() > 1 ? recent_.front() : std::pair<std::int64_t, std::uint64_t>{0, 0};
    const auto [to, after] = recent_.back();
    return to > from ? static_cast<double>(after - before) * 1e6 / static_cast<double>(to - from) : 0;
}

}  // namespace cubinlab::ui
